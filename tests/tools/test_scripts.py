"""The scripts of our tests stand in for a machine's programs, and leave the machine's own alone."""

from pathlib import Path

from tests.tools.scripts import path_with, run, write_script


def test_writing_in_place_of_a_link_leaves_what_it_leads_to(tmp_path: Path):
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.write_text("of the machine")
    ours.symlink_to(theirs)
    write_script(ours, "echo of the test")
    assert (theirs.read_text(), run(ours).stdout) == ("of the machine", "of the test\n")


def test_a_script_goes_before_a_plain_program_of_the_same_name(tmp_path: Path):
    path = path_with(tmp_path / "bin", {"basename": "echo of the test"})
    assert run("basename", "/a/b", path=path).stdout == "of the test\n"
