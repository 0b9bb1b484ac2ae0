"""Calendar files, line by line."""

from datetime import timedelta

from tests.web.pages.listings import NOW, listing

from frontrow.core.calendar import LINE_BYTES_MAX, calendar


def lines(**different: object) -> list[str]:
    written = calendar(listing(7, **different), host="tickets.example", now=NOW).decode()
    assert written.endswith("\r\n")
    assert "\n" not in written.replace("\r\n", "")
    return written.split("\r\n")


def test_an_event_with_its_place_and_its_times():
    written = lines()
    assert written.count("BEGIN:VEVENT") == 1
    assert {"UID:event-7@tickets.example", "DTSTART:20261122T090000Z", "DTEND:20261122T110000Z"} <= set(written)


def test_before_the_sale_the_on_sale_comes_too_and_rings():
    written = lines(on_sale_at=NOW + timedelta(hours=1))
    assert written.count("BEGIN:VEVENT") == 2
    assert {"UID:sale-7@tickets.example", "SUMMARY:On sale: A Concert", "TRIGGER:-PT10M"} <= set(written)


def test_no_name_adds_a_line_of_its_own():
    written = lines(name="A\r\nBEGIN:VALARM\r\nB, C; D\\")
    assert "SUMMARY:A\\nBEGIN:VALARM\\nB\\, C\\; D\\\\" in written


def test_long_lines_are_folded_between_characters():
    name = "Ærøskøbing " * 20
    written = lines(name=name)
    assert all(len(line.encode()) <= LINE_BYTES_MAX for line in written)
    whole = "\r\n".join(written).replace("\r\n ", "")
    assert f"SUMMARY:{name}" in whole
