#!/usr/bin/env bash
# Installs the companion as a service on a Raspberry Pi or another 64-bit Debian; run again it upgrades. --help says more.
set -euo pipefail
umask 022

usage() {
    cat <<'END'
sudo deploy/install.sh [OPTIONS]     from a clone or an unpacked release archive

  (nothing)              install; upgrade what is installed, keeping the version before it
  --check                only look whether this machine will do
  --rollback             go back to the version before
  --uninstall            take the companion away and leave the games
  --uninstall --purge    take the games, pictures and settings away too

  --no-camera-packages   do without python3-picamera2: no camera of the Pi's own is attached
  --wheel FILE           install this wheel
  --root DIR             stage into DIR: no packages, no user, no service
END
}

name=tile-table-companion
user=tile-companion
python=${PYTHON:-/usr/bin/python3}
need_disk_mb=1500
need_memory_mb=800
kept_backups=5
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$@"; }
refuse() {
    printf '%s\n' "$@" >&2
    exit 1
}

# ---- Where everything is -------------------------------------------------------------------------------------------

find_places() {
    home="$root/opt/$name" # a folder a version, and links to the one that runs and the one before
    state="$root/var/lib/$name"
    config="$root/etc/$name"
    unit="$root/etc/systemd/system/companion.service"
    avahi="$root/etc/avahi/services/$name.service"
    command="$root/usr/local/bin/companion"
}

staged() { [ -n "$root" ]; }
booted() { ! staged && [ -d /run/systemd/system ]; }
version_at() { readlink -e "$home/$1" || true; }

# ---- Will this machine do? -----------------------------------------------------------------------------------------

check_rights() {
    staged || [ "$(id -u)" = 0 ] || refuse "Installing a service needs root: run sudo $0"
}

check_system() {
    staged || command -v apt-get >/dev/null || refuse \
        "This is no Raspberry Pi OS and no Debian: there is no apt-get here." \
        "On another system run the companion from the clone: deploy/run"
    [ ! -x "$python" ] || "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || refuse \
        "The Python of this system is too old: $("$python" --version). The companion needs 3.11 or newer." \
        "Raspberry Pi OS has it from Bookworm on."
}

check_architecture() {
    local kernel system
    kernel=$(uname -m)
    system=$(dpkg --print-architecture 2>/dev/null || echo "$kernel")
    case "$system" in
        arm64 | aarch64 | amd64 | x86_64) ;;
        arm* | i?86)
            refuse "This system is 32-bit ($system, on a kernel that says $kernel). The companion needs a 64-bit one:" \
                "write 'Raspberry Pi OS (64-bit)' to the card with the Raspberry Pi Imager. A Pi 3, 4, 5 or Zero 2 runs it."
            ;;
        *) refuse "There are no packages for $system: the companion runs on arm64 (a Pi 4 or 5) and amd64." ;;
    esac
}

check_memory() {
    local mb=$(($(getconf _PHYS_PAGES) * $(getconf PAGE_SIZE) / 1048576))
    [ "$mb" -ge "$need_memory_mb" ] || refuse "This machine has $mb MB of memory; the companion needs $need_memory_mb."
    [ "$mb" -ge 1800 ] || say "This machine has $mb MB of memory: enough, but 2 GB or more are advised."
}

check_disk() {
    local folder=$home mb
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    mb=$(($(df -Pk "$folder" | awk 'NR == 2 { print $4 }') / 1024))
    [ "$mb" -ge "$need_disk_mb" ] || refuse \
        "There are $mb MB free for $home; the companion needs $need_disk_mb (an upgrade keeps the version before)."
}

check_machine() {
    check_architecture
    check_system
    check_memory
    check_disk
}

# ---- Packages, user, version ---------------------------------------------------------------------------------------

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
    staged && return
    local package missing=() known=()
    for package in python3-venv avahi-daemon ${camera_packages:+python3-picamera2}; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    say "Installing packages: ${missing[*]}"
    apt-get update -q >/dev/null || say "The lists of packages could not be renewed; going on with those that are here."
    for package in "${missing[@]}"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            known+=("$package")
        else
            say "This system has no package $package (Raspberry Pi OS has): going on without it."
        fi
    done
    [ ${#known[@]} -eq 0 ] || DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${known[@]}" >/dev/null ||
        refuse "The packages could not be installed; the lines above say why. Nothing else was changed."
}

make_user() {
    staged && return
    local group
    getent passwd "$user" >/dev/null || useradd --system --user-group --home-dir "$home" --no-create-home \
        --shell /usr/sbin/nologin --comment "Table companion" "$user"
    for group in video render; do
        getent group "$group" >/dev/null || groupadd --system "$group"
        usermod --append --groups "$group" "$user"
    done
}

make_folders() {
    mkdir -p "$home/versions" "$config" "$state"
    staged || chown "$user:$user" "$state"
    chmod 750 "$state"
}

# On the first day the camera of a Pi is watched; from then on the file is the owner's.
write_settings() {
    local source=none
    [ ! -e "$config/companion.toml" ] || return 0
    staged || [ -z "$camera_packages" ] || ! is_installed python3-picamera2 || source=picamera:
    cat >"$config/companion.toml" <<END
# Settings of the table companion. 'companion config show' lists them all and where each value comes from.
# After a change: sudo systemctl restart companion

# What brings the moves: "picamera:" is a camera of the Pi's own, "none" is phones alone.
source = "$source"
END
}

# The wheel of a release archive lies in it; from a clone it is built, in an environment that is thrown away.
find_wheel() {
    [ -z "$wheel" ] || return 0
    if [ ! -e "$top/.git" ]; then
        wheel=$(find "$top/dist" -name '*.whl' 2>/dev/null | head -n 1)
        [ -n "$wheel" ] || refuse "There is no wheel in $top/dist: this is neither a clone nor a release archive."
        return
    fi
    say "Building the companion"
    "$python" -m venv "$scratch/build"
    "$scratch/build/bin/pip" wheel --quiet --no-cache-dir --no-deps --wheel-dir "$scratch" "$top" ||
        refuse "The companion could not be built; the lines above say why. Nothing was changed."
    wheel=$(find "$scratch" -maxdepth 1 -name '*.whl')
}

# Numbered, for a Pi has no clock of its own to go by; a number whose backup is still kept is not used again.
next_number() {
    find "$home/versions" "$state" -maxdepth 2 -name '*-*' -printf '%f\n' |
        sed -En 's/^(before-)?([0-9]+)-.*/\2/p' | sort -n | awk 'END { print $1 + 1 }'
}

make_version() {
    local release
    release=$(basename "$wheel" | cut -d- -f2)
    new="$home/versions/$(next_number)-$release"
    say "Installing version $release; this takes some minutes on a Pi"
    unfinished=$new
    "$python" -m venv "$new"
    "$new/bin/pip" install --quiet --no-cache-dir --only-binary :all: "${wheel}[vision,print]" ||
        refuse "The companion could not be installed; the lines above say why. What was there before is unchanged."
    mkdir "$new/deploy"
    cp "$top/deploy/companion.service" "$new/deploy/"
    cp "$top/deploy/avahi/companion.service" "$new/deploy/avahi.service"
    "$new/bin/companion" --version >/dev/null
}

# ---- The record: nothing of it is ever at risk ---------------------------------------------------------------------

# The command of a version, as the user the service runs as.
as_companion() {
    local run=(env -C / "COMPANION_STATE=$state" "CONFIGURATION_DIRECTORY=$config" "$1/bin/companion")
    staged || run=(runuser -u "$user" -- "${run[@]}")
    (umask 077 && "${run[@]}" "${@:2}")
}

backup_before() { echo "$state/backups/before-$(basename "$1").db"; }

back_up_record() {
    [ -e "$state/record.db" ] || return 0
    mkdir -p "$state/backups"
    staged || chown "$user:$user" "$state/backups"
    as_companion "$new" record backup "$(backup_before "$new")" || return 1
    find "$state/backups" -name 'before-*.db' | sort -V | head -n "-$kept_backups" | xargs -r rm -f
}

# What a newer version wrote is kept; the record as it was before that version takes its place.
restore_record_before() {
    local backup kept part
    backup=$(backup_before "$1")
    kept="$state/backups/written-by-$(basename "$1").db"
    [ -e "$backup" ] || return 1
    for part in "" -wal; do
        [ ! -e "$state/record.db$part" ] || mv "$state/record.db$part" "$kept$part"
    done
    rm -f "$state/record.db-shm"
    cp -p "$backup" "$state/record.db"
    say "The record is as it was before that version; what it wrote is kept as $kept"
}

can_read_record() { [ ! -e "$state/record.db" ] || as_companion "$1" record list --last 1 >/dev/null 2>&1; }

# ---- Versions and the service --------------------------------------------------------------------------------------

link() {
    ln -sfn "versions/$(basename "$2")" "$home/$1.new"
    mv -T "$home/$1.new" "$home/$1"
}

# What lies outside the version's folder, as that version has it.
place_files() {
    mkdir -p "$(dirname "$unit")" "$(dirname "$avahi")" "$(dirname "$command")"
    install -m 644 "$1/deploy/companion.service" "$unit"
    install -m 644 "$1/deploy/avahi.service" "$avahi"
    cat >"$command" <<END
#!/bin/sh
# The companion's command on the record of the service; made by deploy/install.sh.
[ "\$(id -u)" = 0 ] || exec sudo "\$0" "\$@"
exec runuser -u $user -- env -C / COMPANION_STATE=$state CONFIGURATION_DIRECTORY=$config $home/current/bin/companion "\$@"
END
    chmod 755 "$command"
}

stop_service() {
    ! booted || systemctl stop companion.service 2>/dev/null || true
}

start_service() {
    place_files "$1"
    ! booted || systemctl daemon-reload
    staged || ! command -v systemctl >/dev/null || systemctl --quiet enable companion.service
    ! booted || systemctl restart companion.service
}

forget_old_versions() {
    local folder
    for folder in "$home"/versions/*; do
        [ "$folder" = "$(version_at current)" ] || [ "$folder" = "$(version_at previous)" ] || rm -rf "$folder"
    done
}

# ---- What can be asked for -----------------------------------------------------------------------------------------

install_or_upgrade() {
    local old greeting
    check_rights
    check_machine
    install_packages
    "$python" -c 'import ensurepip, venv' 2>/dev/null || refuse "Python's venv is missing here: apt install python3-venv"
    make_user
    make_folders
    write_settings
    find_wheel
    make_version
    old=$(version_at current)
    stop_service
    if ! { back_up_record && as_companion "$new" record upgrade; }; then
        # The upgrade of a record is whole or not at all, so the old version can go on with it.
        [ -z "$old" ] || start_service "$old"
        refuse "The record could not be taken over; the lines above say why. What was there before is unchanged."
    fi
    greeting=$(as_companion "$new" address)
    link current "$new"
    if ! start_service "$new"; then
        give_up_on_new "$old"
    fi
    unfinished=
    [ -z "$old" ] || link previous "$old"
    forget_old_versions
    tell_how_to_go_on "$old" "$greeting"
}

give_up_on_new() {
    if [ -n "$1" ]; then
        link current "$1"
        can_read_record "$1" || restore_record_before "$new"
        start_service "$1"
        refuse "The new version did not start (journalctl -u companion says why). The one before runs again."
    fi
    unfinished=
    refuse "The service did not start: journalctl -u companion says why, and 'companion doctor' what to do."
}

tell_how_to_go_on() {
    say "" "$2" ""
    if [ -n "$1" ]; then
        say "$(basename "$1") was replaced by $(basename "$new"). To go back: sudo deploy/install.sh --rollback"
    else
        say "Installed. Scan the code with a phone; open the owner's link once on the phone that shall own the table."
    fi
    if staged; then
        say "Staged in $root: nothing was started."
    elif ! booted; then
        say "systemd does not run here: the companion starts with the next boot."
    fi
}

roll_back() {
    local now before
    check_rights
    now=$(version_at current)
    before=$(version_at previous)
    [ -n "$before" ] || refuse "There is no earlier version here to go back to."
    stop_service
    if ! can_read_record "$before" && ! restore_record_before "$now"; then
        start_service "$now"
        refuse "$(basename "$before") cannot read the record, and there is no backup from its time. Nothing was changed."
    fi
    link current "$before"
    link previous "$now"
    start_service "$before"
    say "$(basename "$before") runs again. The same command brings $(basename "$now") back."
}

uninstall() {
    check_rights
    [ -d "$home" ] || [ -n "$purge" ] || refuse "The companion is not installed here."
    stop_service
    staged || ! command -v systemctl >/dev/null || systemctl --quiet disable companion.service 2>/dev/null || true
    rm -rf "$home" "$unit" "$unit.d" "$avahi" "$command"
    ! booted || systemctl daemon-reload
    if [ -n "$purge" ]; then
        rm -rf "$state" "$config"
        staged || ! getent passwd "$user" >/dev/null || userdel "$user"
        say "The companion and all its games are gone."
    else
        say "The companion is gone. The games stay in $state and the settings in $config;" \
            "installing again takes them up, and --uninstall --purge takes them away."
    fi
    staged || say "Packages that came with it (avahi-daemon, python3-picamera2) stay: others may use them."
}

main() {
    local what=install_or_upgrade
    root='' wheel='' purge='' camera_packages=yes
    while [ $# -gt 0 ]; do
        case "$1" in
            --check) what=check_machine ;;
            --rollback) what=roll_back ;;
            --uninstall) what=uninstall ;;
            --purge) purge=yes ;;
            --no-camera-packages) camera_packages='' ;;
            --wheel | --root)
                [ $# -gt 1 ] || refuse "$1 wants a path; --help says more."
                printf -v "${1#--}" %s "$(realpath -m "$2")"
                shift
                ;;
            --help | -h) usage && exit ;;
            *) refuse "There is no option $1; --help lists them." ;;
        esac
        shift
    done
    [ -z "$purge" ] || [ "$what" = uninstall ] || refuse "--purge goes with --uninstall."
    [ -z "$wheel" ] || [ -f "$wheel" ] || refuse "There is no wheel $wheel."
    [ "$root" != / ] || root=''
    find_places
    scratch=$(mktemp -d)
    unfinished=''
    trap 'rm -rf "$scratch" ${unfinished:+"$unfinished"}' EXIT
    "$what"
    [ "$what" != check_machine ] || say "This machine will do."
}

main "$@"
