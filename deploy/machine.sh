# Sourced by deploy/prove-arm64 and deploy/prove-service: how another Debian is made here and given what it needs.
# Packages and wheels come from where this machine's own come.

declare -A python_of=([bookworm]=3.11 [trixie]=3.13)

refuse() {
    printf '%s\n' "$@" >&2
    exit 1
}

# need_tools COMMAND...: installs what the script lists in `packages`, if one of these commands is missing.
need_tools() {
    local tool
    [ "$(id -u)" = 0 ] || refuse "Making another Debian needs root: run sudo $0"
    for tool in "$@"; do
        command -v "$tool" >/dev/null && continue
        apt-get install -y -q --no-install-recommends "${packages[@]}" >/dev/null
        return
    done
}

# The mirror of Debian that this machine uses itself.
# shellcheck disable=SC2016
mirror() { apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1; }

# make_debian ARCHITECTURE PACKAGES: a bare one beside $machine, once; it serves every proof.
make_debian() {
    [ ! -e "$machine.base/made" ] || return 0
    printf '\n[%s] a bare Debian; this takes some minutes\n' "$release"
    rm -rf "$machine.base"
    debootstrap --arch="$1" --variant=minbase ${2:+--include="$2"} "$release" "$machine.base" "$(mirror)" >"$machine.log" ||
        refuse "debootstrap failed: see $machine.log"
    rm -f "$machine.base"/var/cache/apt/archives/*.deb
    touch "$machine.base/made"
}

# furnish PROCESSOR: a copy of the bare Debian at $machine, with the release archive and its wheels in /srv.
furnish() {
    rm -rf "$machine"
    cp -a --reflink=auto "$machine.base" "$machine"
    # A machine that is thrown away needs no manuals, no languages, and no waiting for the disk.
    printf '%s\n' force-unsafe-io path-exclude=/usr/share/{man,doc,locale}/\* >"$machine/etc/dpkg/dpkg.cfg.d/quick"
    echo 'Acquire::Languages "none";' >"$machine/etc/apt/apt.conf.d/quick"
    cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
    mkdir "$machine/srv/companion" "$machine/srv/wheels"
    tar -xzf "$archive" --strip-components=1 -C "$machine/srv/companion"
    fetch_wheels "$1"
}

# By this machine's own pip, since only unpacking needs the other one.
fetch_wheels() {
    local glibc platforms=(--platform "manylinux2014_$1")
    for glibc in {17..36}; do platforms+=(--platform "manylinux_2_${glibc}_$1"); done
    "$venv/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: --python-version "${python_of[$release]}" \
        "${platforms[@]}" --dest "$machine/srv/wheels" "$(echo "$machine"/srv/companion/dist/*.whl)[vision,print]" 2>"$machine.log" ||
        refuse "The wheels could not be fetched: see $machine.log"
    echo "fetched $(find "$machine/srv/wheels" -name "*_$1.whl" | wc -l) wheels for $1 and \
$(find "$machine/srv/wheels" -name '*-any.whl' | wc -l) for any machine"
}

# What a command inside such a machine finds around it.
surroundings=(-i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
    PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels)

# The words of the command line: --work FOLDER, and the releases that are meant.
read_words() {
    releases=()
    while [ $# -gt 0 ]; do
        case "$1" in
            --work) work=$(realpath -m "${2:?--work wants a folder}") && shift ;;
            bookworm | trixie) releases+=("$1") ;;
            *) refuse "deploy/$(basename "$0") [--work FOLDER] [bookworm] [trixie]" ;;
        esac
        shift
    done
    [ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)
    mkdir -p "$work"
}
