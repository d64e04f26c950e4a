from companion.company import company
from companion.events import Event, GameBegun, PlayerNamed
from companion.game import start
from companion.registry import games
from companion.session import fold

CREW, WEB, HIME = (games()[name] for name in ("pirates_ninjas_robots_zombies", "zhizhu", "zu_tiles_hime"))


def played(game, players, options=None, **people):
    begun = GameBegun(game.name, game.write_position(start(game, game.seats[players], options or {})))
    named = [PlayerNamed(seat, person) for seat, person in people.items()]
    return fold([Event(number, fact) for number, fact in enumerate((begun, *named), 1)])


def test_the_fewest_play_until_somebody_says_how_many():
    assert company(CREW, None).seats == CREW.seats[2]
    assert company(CREW, None, usual=4).seats == CREW.seats[4]
    assert company(CREW, None, said=3, usual=4).seats == CREW.seats[3]
    assert company(WEB, None, usual=4).seats == WEB.seats[2]


def test_a_game_played_again_is_played_by_the_same_people_and_house_rules():
    again = company(CREW, played(CREW, 3, {"tie": "larger-sections"}, west="Window side"), usual=4)
    assert again.seats == CREW.seats[3]
    assert (again.people, again.options) == ({"west": "Window side"}, {"tie": "larger-sections"})


def test_another_game_is_played_by_the_same_people_where_it_seats_them():
    before = played(CREW, 4, {"tie": "larger-sections"}, west="Window side")
    other = company(HIME, before)
    assert (other.seats, other.people, other.options) == (HIME.seats[4], {"west": "Window side"}, {})
    assert company(WEB, before) == company(WEB, None)
    assert company(HIME, before, said=2).people == {}
