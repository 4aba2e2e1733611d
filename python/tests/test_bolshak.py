"""The package over small tables that the tests make."""

import subprocess
import sys
import threading

import pytest

import bolshak


@pytest.fixture()
def tables(directory):
    return bolshak.Tables(directory)


def test_answers_with_moves(tables):
    answer = tables.probe("W:WKc1:BKh8")
    assert (answer.value, answer.distance_plies, answer.over_by) == ("draw", None, None)
    assert [move.text for move in answer.moves] == ["c1-a3", "c1-d2", "c1-e3", "c1-f4", "c1-g5", "c1-h6", "c1-b2"]
    worst = answer.moves[-1]
    assert (worst.value, worst.distance_plies) == ("loss", 2)
    assert (worst.fen_after, worst.ratio_after, worst.kings_after) == ("B:WKb2:BKh8", 1, 1)


def test_counters_and_history_count(tables):
    assert tables.probe("W:WKc1:BKh8", ratio=10, kings=10).over_by == "1.9.1.4"
    assert tables.probe("W:WKa1:BKg7", history=["W:WKa1:BKg7"] * 2).value == "cursed-win"
    assert tables.probe_outcome("W:WKa1:BKg7").value == "win"
    assert tables.probe_outcome("W:WKc1:BKh8", rules="none") == tables.probe_outcome("W:WKc1:BKh8")


def test_bad_questions_raise(tables):
    with pytest.raises(ValueError, match="light square"):
        tables.probe("W:WKa2:BKh8")
    with pytest.raises(ValueError, match="greater than ratio"):
        tables.probe("W:WKa1:BKh8", kings=1)
    with pytest.raises(ValueError, match="unknown rule set"):
        tables.probe("W:WKa1:BKh8", rules="oficial")
    with pytest.raises(bolshak.NotInTables, match="KKKvK"):
        tables.probe("W:WKc1,Kc3,Ke1:BKh8")
    with pytest.raises(ValueError, match="unknown variant"):
        bolshak.Tables("x", variant="chess")


def test_batches_keep_their_order_and_go_on(tables):
    good, bad, missing = tables.probe_batch(["W:WKa1:BKg7", "nonsense", "W:Wa1:BKh8"])
    assert good == tables.probe_outcome("W:WKa1:BKg7")
    assert isinstance(bad, ValueError)
    assert isinstance(missing, bolshak.NotInTables)


def test_resident_answers_come_from_memory(directory):
    tables = bolshak.Tables(directory)
    assert tables.probe_resident("W:WKc1:BKh8") is None
    outcome = tables.probe_outcome("W:WKc1:BKh8")
    assert tables.probe_resident("W:WKc1:BKh8") == outcome


def test_coverage_names_what_is_missing(tables):
    assert tables.slices() == ["KvK", "KKvK", "KvKK"]
    assert tables.missing("KKvK") == []
    assert "KKKvK" in tables.missing("KKKvK")


def test_damage_is_told(directory, tmp_path):
    (tmp_path / "russian").mkdir()
    for file in (directory / "russian").glob("K*"):
        (tmp_path / "russian" / file.name).write_bytes(b"not a table")
    with pytest.raises(bolshak.UnusableTable, match="not a bolshak table"):
        bolshak.Tables(tmp_path).probe("W:WKc1:BKh8")


def test_threads_share_tables(tables):
    found = []

    def ask():
        for _ in range(100):
            found.append(tables.probe_outcome("W:WKa1:BKg7").value)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["win"] * 400


def test_type_hints_fit(tmp_path):
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "bolshak._tables", "--ignore-missing-stub"],
        # Away from the sources, so that the built package is looked at.
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
