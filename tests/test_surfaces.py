"""The command line, the flake8 plugin, the hooks and the README's commands, each run as a user runs it."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import nanlint
from nanlint.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
HAZARD = "import torch\n\n\ndef f(x):\n    return torch.log(torch.softmax(x, dim=1))\n"
CURED = "import torch\n\n\ndef f(x):\n    return torch.log_softmax(x, dim=1)\n"
UNSAFE = "import numpy as np\n\nnp.seterr(all='ignore')\n"
CLEAN = "def f(x):\n    return x + 1\n"
needs_flake8 = pytest.mark.skipif(find_spec("flake8") is None, reason="flake8 is not installed")


def run(*arguments: str, cwd: Path, stdin: str | bytes = b"", code: int | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """One run of the command line in a process of its own."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    environ = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-m", "nanlint", *arguments], cwd=cwd, input=data, capture_output=True, env=environ, timeout=300)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    if code is not None:
        assert done.returncode == code, (done.stdout + done.stderr).decode()
    return done


def out(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stdout.decode()


def err(done: subprocess.CompletedProcess[bytes]) -> str:
    return done.stderr.decode()


def found(*arguments: str, cwd: Path, stdin: str = "", code: int | None = None) -> list[dict[str, Any]]:
    """The findings of a run as JSON."""
    rows: list[dict[str, Any]] = json.loads(run(*arguments, "--output-format", "json", cwd=cwd, stdin=stdin, code=code).stdout)
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with a file that has a finding and one that has none."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "bad.py").write_text(HAZARD)
    (tmp_path / "clean.py").write_text(CLEAN)
    return tmp_path


# -- exit codes and what goes where


def test_clean_is_zero(folder: Path) -> None:
    done = run("clean.py", cwd=folder, code=0)
    assert (out(done), err(done)) == ("All checks passed!\n", "")
    assert out(run("-q", "clean.py", cwd=folder, code=0)) == ""


def test_findings_are_one(folder: Path) -> None:
    done = run("--output-format", "concise", cwd=folder, code=1)
    lines = out(done).splitlines()
    assert lines[0].startswith("bad.py:5:12: NAN301 [*] ")
    assert lines[1:] == ["Found 1 error.", "[*] 1 fixable with `--fix`."]
    assert err(done) == ""
    assert out(run("--output-format", "concise", "-q", cwd=folder, code=1)).splitlines() == lines[:1]


def test_exit_zero_hides_findings_only(folder: Path) -> None:
    run("--exit-zero", "bad.py", cwd=folder, code=0)
    run("--exit-zero", "bad.py", "missing.py", cwd=folder, code=2)


def test_a_missing_path_is_named_and_the_rest_reported(folder: Path) -> None:
    done = run("missing.py", "bad.py", "gone/", cwd=folder, code=2)
    assert err(done).splitlines() == [
        "nanlint: error: missing.py: no such file or directory",
        "nanlint: error: gone: no such file or directory",
    ]
    assert "NAN301" in out(done)


@pytest.mark.parametrize(
    "arguments",
    [["--nothing"], ["--select", "NAN999"], ["--ignore", "log"], ["--evidence", "sure"], ["--eps", "0"], ["--eps", "nan"], ["--eps", "x"],
     ["--guard", "hope"], ["--output-format", "xml"], ["--config", "none.toml"], ["--explain", "NAN999"], ["--reveal", "clean.py"],
     ["--config", "pyproject.toml", "--isolated"], ["--reveal", "none.py:1"], ["--exclude", "!"]],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_two(folder: Path, arguments: list[str]) -> None:
    if arguments == ["--ignore", "log"]:  # a prefix of names is right
        run(*arguments, cwd=folder, code=0)
        return
    done = run(*arguments, cwd=folder, code=2)
    assert out(done) == "" and "rror" in err(done)


def test_interrupted_is_130(folder: Path) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-m", "nanlint", "-"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    time.sleep(1.5)  # it waits for stdin by then
    child.send_signal(signal.SIGINT)
    output, errors = child.communicate(timeout=60)
    assert child.returncode == 130 and b"Traceback" not in errors and output == b""


def test_a_reader_that_has_enough_is_no_error(folder: Path) -> None:
    (folder / "many.py").write_text(HAZARD * 300)
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    script = f"set -o pipefail; {sys.executable} -m nanlint many.py | head -n 1"
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, env=environ, timeout=300)
    assert done.stdout.startswith(b"NAN301") and done.stderr == b"" and done.returncode == 1


def test_an_internal_error_is_two_and_the_rest_reported(folder: Path) -> None:
    (folder / "broken.py").write_text(HAZARD)
    (folder / "sitecustomize.py").write_text(
        "import nanlint.engine as engine\nreal = engine.judge\n"
        "def judge(source, *rest):\n    assert source.path != 'broken.py', 'a\\nbug'\n    return real(source, *rest)\nengine.judge = judge\n"
    )
    extra = {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "NANLINT_RAISE": ""}
    moved = folder / "elsewhere"
    moved.mkdir()
    for name in ("bad.py", "broken.py"):
        shutil.move(folder / name, moved / name)
    done = run("--exit-zero", "broken.py", "bad.py", cwd=moved, code=2, **extra)
    pattern = rf"nanlint: error: broken\.py: internal error at \w+\.py:\d+: AssertionError: a bug \(nanlint {re.escape(nanlint.__version__)}, Python [\d.]+\)\n"
    assert re.fullmatch(pattern, err(done))
    assert "bad.py" in out(done)
    raised = subprocess.run([sys.executable, "-m", "nanlint", "broken.py"], cwd=moved, capture_output=True, env={**os.environ, **extra, "NANLINT_RAISE": "1"})
    assert raised.returncode not in (0, 2) and b"AssertionError" in raised.stderr


def test_version_and_start(folder: Path) -> None:
    assert out(run("--version", cwd=folder, code=0)) == f"nanlint {nanlint.__version__}\n"
    script = "import sys\nsys.argv = ['nanlint', '--version']\nfrom nanlint.cli import main\ntry:\n    main()\nfinally:\n    print(sorted({m.split('.')[0] for m in sys.modules} | {m for m in sys.modules if m.startswith('nanlint.')}), file=sys.stderr)\n"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    loaded = ast.literal_eval(done.stderr)
    assert done.returncode == 0 and "click" in loaded
    assert not {"libcst", "rich", "pathspec", "nanlint.ops", "nanlint.engine", "nanlint.interp", "nanlint.rules"} & set(loaded)


def test_clean_files_do_not_load_the_interpreter(folder: Path) -> None:
    script = "import sys, nanlint\nassert nanlint.check_source('name = \"x\"\\n') == []\nassert 'libcst' not in sys.modules and 'nanlint.interp' not in sys.modules\n"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT).returncode == 0


def test_rules_and_pages_are_printed(folder: Path) -> None:
    listed = out(run("--list-rules", cwd=folder, code=0)).splitlines()
    assert any(line.startswith("NAN301  log-of-softmax ") for line in listed) and len(listed) >= 21
    assert out(run("--explain", "NAN301", cwd=folder, code=0)) == out(run("--explain", "log-of-softmax", cwd=folder, code=0))
    assert out(run("--explain", "nan301", cwd=folder, code=0)).startswith("# NAN301 log-of-softmax\n")


def test_nothing_beside_the_code_is_imported(folder: Path) -> None:
    for name in ("click", "ast", "libcst", "pathspec", "rich", "typing", "dataclasses", "json", "tomllib", "tokenize", "pathlib"):
        (folder / f"{name}.py").write_text("raise SystemExit('the linted code was run')\n")
    done = run("bad.py", "click.py", cwd=folder, code=1)
    assert "NAN301" in out(done) and err(done) == ""
    assert list(folder.rglob("*.pyc")) == []


# -- forms of the report


def test_json(folder: Path) -> None:
    (folder / "bad.py").write_text(HAZARD.replace("return ", "return '€𝔸' and "))
    (row,) = found("bad.py", cwd=folder, code=1)
    assert set(row) == {"code", "name", "message", "filename", "location", "end_location", "evidence", "notes", "fix", "noqa_row"}
    assert (row["code"], row["name"], row["evidence"], row["noqa_row"]) == ("NAN301", "log-of-softmax", "reached", 5)
    assert row["filename"] == str(folder / "bad.py")
    line = (folder / "bad.py").read_text().splitlines()[4]
    assert row["location"] == {"row": 5, "column": line.index("torch.log") + 1}
    assert row["end_location"] == {"row": 5, "column": len(line) + 1}
    assert (row["fix"]["applicability"], row["fix"]["kind"]) == ("safe", "exact") and row["fix"]["message"]
    for place in [*row["notes"], *row["fix"]["edits"]]:
        assert {"location", "end_location"} < set(place)
        assert place["location"]["row"] == 5 <= place["end_location"]["row"]
    assert all(Path(note["filename"]).is_absolute() and note["message"] for note in row["notes"])


def test_json_edits_repair_the_text(folder: Path) -> None:
    (row,) = found("bad.py", cwd=folder, code=1)
    lines = HAZARD.splitlines(keepends=True)
    for edit in sorted(row["fix"]["edits"], key=lambda e: (e["location"]["row"], e["location"]["column"]), reverse=True):
        (first, start), (last, end) = ((edit[k]["row"], edit[k]["column"]) for k in ("location", "end_location"))
        lines[first - 1 : last] = [lines[first - 1][: start - 1] + edit["content"] + lines[last - 1][end - 1 :]]
    assert "".join(lines) == CURED


def test_json_holds_nothing_else(folder: Path) -> None:
    assert out(run("--output-format", "json", "clean.py", cwd=folder, code=0)) == "[]\n"
    done = run("--output-format", "json", "bad.py", "missing.py", cwd=folder, code=2)
    assert len(json.loads(done.stdout)) == 1 and "missing.py" in err(done)


def test_full_shows_the_lines_of_the_path(folder: Path) -> None:
    (folder / "bad.py").write_text("import torch\n\n\ndef f(x):\n    p = torch.softmax(x, dim=1)\n    y = x\n    z = x\n\n    return '字' and torch.log(p)\n")
    lines = out(run("bad.py", cwd=folder, code=1)).splitlines()
    assert lines[0].startswith("NAN301 ")
    assert lines[1] == " --> bad.py:9:20"
    at = lines.index("9 |     return '字' and torch.log(p)")
    assert lines[at + 1] == "  |                     ^^^^^^^^^^^^"  # the wide character takes two columns
    assert "5 |     p = torch.softmax(x, dim=1)" in lines and any(re.match(r"  \|         -{23} \S", line) for line in lines)
    assert "..." in lines
    assert any(line.startswith("  = exact fix: ") for line in lines)


def test_statistics(folder: Path) -> None:
    (folder / "more.py").write_text(HAZARD + HAZARD.replace("def f", "def g"))
    assert out(run("--statistics", cwd=folder, code=1)).splitlines()[0] == "3  NAN301  log-of-softmax"
    assert json.loads(run("--statistics", "--output-format", "json", cwd=folder, code=1).stdout) == [{"code": "NAN301", "name": "log-of-softmax", "count": 3}]


@pytest.mark.parametrize("form", ["full", "concise", "json"])
def test_an_ascii_terminal_takes_everything(folder: Path, form: str) -> None:
    (folder / "bad.py").write_text(HAZARD.replace("\n\n\n", "\n\n\nNAME = 'ü字'\n").replace("(x, dim", "(x , dim"), encoding="utf-8")
    done = run("--output-format", form, "bad.py", cwd=folder, code=1, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.stdout.isascii() and b"NAN301" in done.stdout
    (folder / "bad.py").write_text(HAZARD.replace("return", "return 'ü字' and"), encoding="utf-8")
    done = run("--output-format", form, "--diff", "bad.py", cwd=folder, code=1, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.stdout.isascii() and b"log_softmax" in done.stdout


def test_colour_only_where_it_is_wanted(folder: Path) -> None:
    assert b"\033[" not in run("bad.py", cwd=folder, code=1, FORCE_COLOR="1").stdout  # NO_COLOR is set and wins
    assert b"\033[" in run("bad.py", cwd=folder, code=1, FORCE_COLOR="1", NO_COLOR="").stdout
    assert b"\033[" not in run("bad.py", cwd=folder, code=1, NO_COLOR="").stdout


def test_reveal(folder: Path) -> None:
    lines = out(run("--reveal", "bad.py:5", cwd=folder, code=0)).splitlines()
    assert any(line.startswith("5:22 torch.softmax(x, dim=1): tensor [0, 1], gradient ") for line in lines)


def test_census(folder: Path) -> None:
    (folder / "bad.py").write_text(HAZARD.replace("torch.softmax", "torch.no_such_thing"))
    lines = out(run("--census", cwd=folder, code=0)).splitlines()
    assert re.fullmatch(r"2 files, \d+ fragments, \d+ functions, 0 out of fuel", lines[0])
    assert re.fullmatch(r"\d+ uses, [\d.]+ % of them of a value that is not known", lines[1])
    assert lines[2] == "2 calls of torch, 50.0 % of them have a row; 0.0 % of these rows are opaque"
    assert lines[4] == "1  torch.no_such_thing"
    assert any("unknown torch.no_such_thing" in line for line in lines[5:])


# -- repairs


def test_fix(folder: Path) -> None:
    done = run("--fix", cwd=folder, code=0)
    assert (folder / "bad.py").read_text() == CURED
    assert out(done) == "Found 1 error (1 fixed, 0 remaining).\n"
    assert out(run("--fix", cwd=folder, code=0)) == "All checks passed!\n"


def test_exit_non_zero_on_fix(folder: Path) -> None:
    run("--fix", "--exit-non-zero-on-fix", cwd=folder, code=1)
    run("--fix", "--exit-non-zero-on-fix", cwd=folder, code=0)


def test_unsafe_fixes_are_asked_for(folder: Path) -> None:
    (folder / "bad.py").write_text(UNSAFE)
    done = run("--fix", "bad.py", cwd=folder, code=1)
    assert (folder / "bad.py").read_text() == UNSAFE
    assert out(done).splitlines()[-2:] == ["Found 1 error (0 fixed, 1 remaining).", "1 unsafe fix available with `--fix --unsafe-fixes`."]
    run("--fix", "--unsafe-fixes", "bad.py", cwd=folder, code=0)
    assert "np.seterr(divide=" in (folder / "bad.py").read_text()


def test_exact_only_leaves_guards(folder: Path) -> None:
    text = "import torch\n\n\ndef f(x):\n    return x / x.norm(dim=1, keepdim=True)\n"
    (folder / "bad.py").write_text(text)
    run("--fix", "--exact-only", "bad.py", cwd=folder, code=1)
    assert (folder / "bad.py").read_text() == text
    run("--fix", "--eps", "1e-4", "bad.py", cwd=folder, code=0)
    assert "clamp_min(1e-4)" in (folder / "bad.py").read_text()


def test_diff_writes_nothing(folder: Path) -> None:
    done = run("--diff", cwd=folder, code=1)
    assert (folder / "bad.py").read_text() == HAZARD
    assert out(done).splitlines() == [
        "--- bad.py",
        "+++ bad.py",
        "@@ -2,4 +2,4 @@",
        " ",
        " ",
        " def f(x):",
        "-    return torch.log(torch.softmax(x, dim=1))",
        "+    return torch.log_softmax(x, dim=1)",
    ]
    assert err(done) == "Would fix 1 error.\n"
    subprocess.run(["patch", "-p0"], cwd=folder, input=done.stdout, check=True, capture_output=True)
    assert (folder / "bad.py").read_text() == CURED
    assert out(run("--diff", cwd=folder, code=0)) == ""


def test_diff_of_a_text_without_a_last_newline(folder: Path) -> None:
    (folder / "bad.py").write_bytes(HAZARD.rstrip("\n").replace("\n", "\r\n").encode())
    done = run("--diff", "bad.py", cwd=folder, code=1)
    assert done.stdout.endswith(b"\n+    return torch.log_softmax(x, dim=1)\n\\ No newline at end of file\n")
    assert b"@@\n \r\n" in done.stdout


def test_what_is_suppressed_is_not_repaired(folder: Path) -> None:
    text = HAZARD.replace("dim=1))\n", "dim=1))  # noqa: NAN301\n")
    (folder / "bad.py").write_text(text)
    run("--fix", cwd=folder, code=0)
    assert (folder / "bad.py").read_text() == text


@pytest.mark.parametrize("comment", ["# nanlint: skip-file", "# flake8: noqa", "# nanlint: file-ignore[NAN301]", "# nanlint: file-ignore[log-of-softmax]"])
def test_a_comment_for_the_whole_file(folder: Path, comment: str) -> None:
    (folder / "bad.py").write_text(f"{comment}\n{HAZARD}")
    run("--fix", "bad.py", cwd=folder, code=0)
    (folder / "bad.py").write_text(f"{comment.replace('301', '302').replace('log-of', 'no')}\n{HAZARD}")
    run("bad.py", cwd=folder, code=0 if "file-ignore" not in comment else 1)


def test_a_file_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, its findings are reported as they were, and the others are repaired."""
    from nanlint import atomic, engine
    from nanlint.settings import Resolver

    real = atomic.replace

    def full(path: str, read: bytes, changed: bytes) -> None:
        if path == "bad.py":
            raise atomic.ReplaceError(f"{path}: cannot be written: no space left on device")
        real(path, read, changed)

    monkeypatch.setattr(atomic, "replace", full)
    monkeypatch.chdir(folder)
    (folder / "other.py").write_text(HAZARD)
    report = engine.run(["bad.py", "other.py"], Resolver({"fix": True}), engine.Ask("given"))
    assert [str(p) for p in report.all_problems] == ["bad.py: cannot be written: no space left on device"]
    assert report.failed and [f.filename for f in report.findings] == ["bad.py"] and report.fixed == 1
    assert ((folder / "bad.py").read_text(), (folder / "other.py").read_text()) == (HAZARD, CURED)


def test_a_file_that_changed_meanwhile_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nanlint import engine, repair
    from nanlint.settings import Resolver

    real = repair.to_rest

    def slow(*arguments: Any) -> repair.Repaired:
        (folder / "bad.py").write_text(CLEAN)
        return real(*arguments)

    monkeypatch.setattr(repair, "to_rest", slow)
    monkeypatch.chdir(folder)
    report = engine.run(["bad.py"], Resolver({"fix": True}), engine.Ask("given"))
    assert report.failed and "changed on disk" in str(report.all_problems[0]) and (folder / "bad.py").read_text() == CLEAN


def test_a_repaired_link_stays_a_link(folder: Path) -> None:
    (folder / "link.py").symlink_to("bad.py")
    run("--fix", "link.py", cwd=folder, code=0)
    assert (folder / "link.py").is_symlink() and (folder / "bad.py").read_text() == CURED


# -- stdin


def test_stdin(folder: Path) -> None:
    assert out(run("-", "--output-format", "concise", cwd=folder, stdin=HAZARD, code=1)).startswith("-:5:12: NAN301")
    assert out(run("-", "--stdin-filename", "sub/x.py", "--output-format", "concise", cwd=folder, stdin=HAZARD, code=1)).startswith("sub/x.py:5:12: NAN301")
    assert found("-", cwd=folder, stdin=HAZARD, code=1)[0]["filename"] == "-"
    assert found("-", "--stdin-filename", "x.py", cwd=folder, stdin=HAZARD, code=1)[0]["filename"] == str(folder / "x.py")
    run("-", cwd=folder, stdin="", code=0)


def test_stdin_is_repaired_to_stdout(folder: Path) -> None:
    done = run("--fix", "-", "--stdin-filename", "bad.py", cwd=folder, stdin=CLEAN + HAZARD, code=0)
    assert out(done) == CLEAN + CURED and "1 fixed" in err(done)
    assert (folder / "bad.py").read_text() == HAZARD
    done = run("--diff", "-", cwd=folder, stdin=HAZARD, code=1)
    assert out(done).startswith("--- -\n+++ -\n")
    excluded = ["--fix", "-", "--stdin-filename", "build/x.py", "--force-exclude"]
    assert out(run(*excluded, cwd=folder, stdin=HAZARD, code=0)) == HAZARD
    assert out(run("--fix", "-", cwd=folder, stdin="def f(:\n", code=1)) == "def f(:\n"


# -- settings


def test_settings_of_the_nearest_file(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.nanlint]\nignore = ["log-of-softmax"]\noutput-format = "concise"\n')
    inner = folder / "inner"
    inner.mkdir()
    shutil.copy(folder / "bad.py", inner / "bad.py")
    assert out(run(cwd=folder, code=0)) == "All checks passed!\n"
    assert len(found("--isolated", cwd=folder, code=1)) == 2
    assert len(found("--ignore", "NAN9", cwd=folder, code=1)) == 2  # the flag wins over the file
    (inner / "pyproject.toml").write_text("")
    assert out(run(cwd=folder, code=1)).startswith("inner/bad.py:5:12: NAN301")
    (folder / "other.toml").write_text('[tool.nanlint]\nselect = ["NAN2"]\nextend_select = ["NAN900"]\n')
    run("--config", "other.toml", cwd=folder, code=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.nanlint]\nselekt = []\n", "pyproject.toml: unknown key 'selekt' in [tool.nanlint]"),
        ('[tool.nanlint]\nselect = "NAN"\n', "pyproject.toml: 'select' in [tool.nanlint] must be a list of strings, not 'NAN'"),
        ('[tool.nanlint]\nguard = "hope"\n', "pyproject.toml: 'guard' in [tool.nanlint] must be one of \"clamp\", \"add\", not 'hope'"),
        ("[tool.nanlint]\neps = -1\n", "pyproject.toml: 'eps' in [tool.nanlint] must be a number above 0, not -1"),
        ("[tool.nanlint]\nfix = 1\n", "pyproject.toml: 'fix' in [tool.nanlint] must be true or false, not 1"),
        ('[tool.nanlint]\nignore = ["NAN999"]\n', "pyproject.toml: ignore: no rule has the code, name or prefix 'NAN999'"),
        ('[tool.nanlint]\nexclude = ["!"]\n', "pyproject.toml: exclude: '!' is no pattern of .gitignore"),
        ("[tool]\nnanlint = 1\n", "pyproject.toml: tool.nanlint must be a table"),
        ("[tool\n", "pyproject.toml: "),
    ],
)
def test_wrong_settings_name_file_and_key(folder: Path, text: str, message: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    done = run("bad.py", cwd=folder, code=2)
    assert err(done).startswith(f"nanlint: error: {folder}/{message}") and err(done).count("\n") == 1
    assert out(done) == ""


def test_wrong_settings_of_one_folder_leave_the_others(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text("[tool.nanlint]\nx = 1\n")
    (inner / "a.py").write_text(HAZARD)
    done = run(".", "inner/a.py", cwd=folder, code=2)
    assert err(done) == f"nanlint: error: {inner}/pyproject.toml: unknown key 'x' in [tool.nanlint]\n"
    assert "bad.py:5" in out(done) and "a.py" not in out(done)


def test_every_key_is_a_flag(folder: Path) -> None:
    text = out(run("--help", cwd=folder, code=0))
    for name in vars(Settings()):
        assert f"--{name.replace('_', '-')}" in text or name == "respect_gitignore"
    assert "--respect-gitignore" not in text
    run("--no-respect-gitignore", "clean.py", cwd=folder, code=0)


def test_selection(folder: Path) -> None:
    for chosen in ("NAN301", "NAN3", "NAN", "ALL", "log-of-softmax", "log-of", "nan301"):
        run("--select", chosen, cwd=folder, code=1)
    run("--select", "NAN2", cwd=folder, code=0)
    run("--select", "NAN2,NAN1", "--extend-select", "NAN301", cwd=folder, code=1)
    run("--ignore", "NAN3", cwd=folder, code=0)


def test_evidence_is_a_floor(folder: Path) -> None:
    (folder / "bad.py").write_text("import torch\n\n\ndef f(a, b):\n    return a / (b + a)\n")
    levels = {level: len(found("--evidence", level, "bad.py", cwd=folder)) for level in ("reached", "suspected", "unknown")}
    assert levels["reached"] <= levels["suspected"] <= levels["unknown"] and levels["unknown"] > 0
    assert {row["evidence"] for row in found("--evidence", "unknown", "bad.py", cwd=folder)} >= {"unknown"}


# -- which files


def names(*arguments: str, cwd: Path) -> list[str]:
    """The files of the findings of a run, from the working directory."""
    return [os.path.relpath(row["filename"], cwd) for row in found(*arguments, cwd=cwd)]


def test_a_walk_leaves_out_what_is_excluded(tmp_path: Path) -> None:
    for name in ("a.py", "b.pyi", "c.txt", "build/a.py", ".venv/lib/a.py", "sub/node_modules/a.py", "sub/keep/a.py", "gen/a.py", "sub/gen/a.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HAZARD)
    (tmp_path / "pyproject.toml").write_text('[tool.nanlint]\nextend-exclude = ["/gen"]\n')
    assert names(cwd=tmp_path) == ["a.py", "b.pyi", "sub/gen/a.py", "sub/keep/a.py"]
    assert names("--exclude", "sub", cwd=tmp_path) == [".venv/lib/a.py", "a.py", "b.pyi", "build/a.py"]
    assert names("build/a.py", "c.txt", cwd=tmp_path) == ["build/a.py", "c.txt"]
    assert names("build/a.py", "a.py", "--force-exclude", cwd=tmp_path) == ["a.py"]
    assert names("build", cwd=tmp_path) == ["build/a.py"]
    assert names("build", "--force-exclude", cwd=tmp_path) == []
    assert names("a.py", ".", "sub/keep/../keep/a.py", str(tmp_path / "a.py"), cwd=tmp_path) == ["a.py", "b.pyi", "sub/gen/a.py", "sub/keep/a.py"]


def test_a_walk_respects_gitignore(tmp_path: Path) -> None:
    for name in ("a.py", "x_gen.py", "sub/x_gen.py", "sub/keep_gen.py", "sub/own.py", "local/a.py", "secret.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HAZARD)
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("secret.py\n")
    (tmp_path / ".gitignore").write_text("*_gen.py\nlocal/\n!\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep_gen.py\n/own.py\n")
    assert names(cwd=tmp_path) == ["a.py", "sub/keep_gen.py"]
    assert names(".", cwd=tmp_path / "sub") == ["keep_gen.py"]
    assert names("x_gen.py", "local", cwd=tmp_path) == ["x_gen.py", "local/a.py"]
    assert len(names("--no-respect-gitignore", cwd=tmp_path)) == 7


def test_what_is_no_file(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "dangling.py").symlink_to("nowhere.py")
    (folder / "around").symlink_to(".", target_is_directory=True)
    (folder / "named.py").mkdir()
    (folder / "named.py" / "inner.py").write_text(HAZARD)
    done = run("--output-format", "concise", cwd=folder, code=1)
    assert [line.partition(":")[0] for line in out(done).splitlines()[:-2]] == ["bad.py", "named.py/inner.py"]
    assert err(done).splitlines() == [
        "nanlint: warning: dangling.py: skipped: no such file or directory",
        "nanlint: warning: loop.py: skipped: too many levels of symbolic links",
        "nanlint: warning: pipe.py: skipped: not a regular file",
    ]
    given = run("pipe.py", "loop.py", "around/bad.py", cwd=folder, code=2)
    assert err(given).splitlines() == ["nanlint: error: pipe.py: not a regular file", "nanlint: error: loop.py: too many levels of symbolic links"]


def test_what_cannot_be_read(folder: Path) -> None:
    if os.geteuid() == 0:
        target = folder / "bad.py"
        target.unlink()
        target.symlink_to("/proc/self/mem")  # even root gets an error there
        done = run("bad.py", "clean.py", cwd=folder, code=2)
    else:
        os.chmod(folder / "bad.py", 0)
        done = run(".", cwd=folder, code=2)
    assert re.fullmatch(r"nanlint: error: bad\.py: (cannot be read: )?.+\n", err(done))


# -- bad input


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"import torch\n\ndef f(:\n", ":3:"),
        (b"x = '\xff'\n", ":1:"),
        (b"# coding: nonsense\nx = 1\n", ":1:"),
        (b"x = 1\0\n", ":1:"),
        (b"import torch\nx = " + b"(" * 2000 + b")" * 2000 + b"\n", ":2:"),
        (b"import torch\nx = 1\n" + b"# padding of a generated file\n" * 80_000, ":1:"),
    ],
    ids=["syntax", "bytes", "cookie", "null", "brackets", "large"],
)
def test_what_is_no_python_is_a_finding(folder: Path, data: bytes, place: str) -> None:
    (folder / "odd.py").write_bytes(data)
    done = run("odd.py", "bad.py", "--output-format", "concise", cwd=folder, code=1)
    lines = out(done).splitlines()
    assert lines[0].startswith(f"odd.py{place}") and " NAN900 " in lines[0] and lines[1].startswith("bad.py:5:")
    assert err(done) == ""
    assert run("--fix", "odd.py", cwd=folder, code=1) and (folder / "odd.py").read_bytes() == data
    run("--ignore", "invalid-syntax", "odd.py", cwd=folder, code=0)
    assert "NAN900" in out(run("odd.py", cwd=folder, code=1))


@pytest.mark.parametrize(
    "expression",
    ["+".join(["x"] * 10_000), "x" + ".abs()" * 3000, "[" * 90 + "x" + "]" * 90, "-" * 3000 + "x", "x if x else " * 1000 + "x", "not " * 3000 + "x", "x**" * 3000 + "x"],
    ids=["sum", "chain", "lists", "minus", "ifs", "nots", "powers"],
)
def test_deep_code_is_survived(folder: Path, expression: str) -> None:
    (folder / "deep.py").write_text(f"import torch\n\n\ndef g(x):\n    y = {expression}\n    return torch.log(y)\n\n\n" + HAZARD)
    done = run("deep.py", "bad.py", "--output-format", "concise", "--select", "NAN301,NAN900", cwd=folder, code=1)
    assert out(done).splitlines()[1].startswith("bad.py:5:12: NAN301") and err(done) == ""
    assert re.match(r"deep\.py:(1:1: NAN900 nested too deeply|13:12: NAN301)", out(done))


def test_empty_files_are_clean(folder: Path) -> None:
    for name, data in {"empty.py": b"", "newline.py": b"\n", "bom.py": b"\xef\xbb\xbf", "comment.py": b"# torch.log"}.items():
        (folder / name).write_bytes(data)
        run(name, cwd=folder, code=0)
        run("--fix", name, cwd=folder, code=0)
        assert (folder / name).read_bytes() == data


# -- flake8


def flake8(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    """The real flake8 with this nanlint, whether it is installed or lies in the working tree."""
    (cwd / ".flake8").write_text(
        "" if _is_plugin_installed() else f"[flake8:local-plugins]\nextension =\n    NAN = nanlint.plugin:NanPlugin\npaths = {ROOT}\n"
    )
    command = [sys.executable, "-m", "flake8", "--jobs", "1", *arguments]
    return subprocess.run(command, cwd=cwd, input=stdin.encode(), capture_output=True, timeout=300, env={**os.environ, "NANLINT_RAISE": "1"})


def _is_plugin_installed() -> bool:
    from importlib.metadata import entry_points

    return any(entry.value == "nanlint.plugin:NanPlugin" for entry in entry_points(group="flake8.extension"))


def places(text: str) -> list[tuple[str, int, int, str]]:
    """(file, row, column, code) of lines "file:row:column: code ..."."""
    rows = re.findall(r"^(.+?):(\d+):(\d+): (NAN\d+)", text, re.MULTILINE)
    return [(os.path.normpath(file), int(row), int(column), code) for file, row, column, code in rows]


@needs_flake8
def test_flake8_shows_what_the_command_line_shows(folder: Path) -> None:
    (folder / "wide.py").write_text("\ufeff" + HAZARD.replace("return ", "return '€𝔸字' and "), encoding="utf-8")
    (folder / "crlf.py").write_bytes(b"\x0c\r\n" + HAZARD.replace("\n", "\r\n").encode())
    done = flake8("--select", "NAN", ".", cwd=folder)
    ours = places(out(run("--output-format", "concise", cwd=folder, code=1)))
    assert len(ours) == 3
    assert sorted(places(out(done))) == ours
    assert done.returncode == 1 and done.stderr == b""


@needs_flake8
def test_one_noqa_file_through_both(folder: Path, root: Path) -> None:
    shutil.copy(root / "fixtures" / "noqa" / "both.py", folder / "both.py")
    theirs = places(out(flake8("--select", "NAN", "both.py", cwd=folder)))
    ours = places(out(run("--output-format", "concise", "both.py", cwd=folder)))
    text = (folder / "both.py").read_text(encoding="utf-8")
    assert sorted(theirs) == ours
    marked = [row for row, line in enumerate(text.splitlines(), 1) if line.endswith("# SHOWN") or "# SHOWN " in line]
    assert [row for _, row, _, _ in ours] == marked and len(marked) >= 5


@needs_flake8
def test_flake8_reads_its_option_and_the_settings(folder: Path) -> None:
    (folder / "bad.py").write_text("import torch\n\n\ndef f(a, b):\n    return a / (b + a)\n")
    plain = out(flake8("--select", "NAN", "bad.py", cwd=folder))
    assert len(out(flake8("--select", "NAN", "--nan-evidence", "unknown", "bad.py", cwd=folder))) > len(plain)
    (folder / "pyproject.toml").write_text('[tool.nanlint]\nevidence = "unknown"\n')
    assert len(out(flake8("--select", "NAN", "bad.py", cwd=folder))) > len(plain)
    assert out(flake8("--select", "NAN", "--nan-evidence", "suspected", "bad.py", cwd=folder)) == plain
    assert flake8("--nan-evidence", "sure", "bad.py", cwd=folder).returncode == 2


@needs_flake8
def test_flake8_reads_stdin(folder: Path) -> None:
    assert places(out(flake8("--select", "NAN", "-", cwd=folder, stdin=HAZARD))) == [("stdin", 5, 12, "NAN301")]
    (folder / "bad.py").unlink()
    named = flake8("--select", "NAN", "--stdin-display-name", "bad.py", "-", cwd=folder, stdin=HAZARD)
    assert places(out(named)) == [("bad.py", 5, 12, "NAN301")]


@needs_flake8
def test_flake8_is_never_aborted(folder: Path) -> None:
    """Settings that cannot be read, no Python at all, and an error inside: the other files and codes are still reported."""
    (folder / "pyproject.toml").write_text("[tool.nanlint]\nnothing = 1\n")
    (folder / "odd.py").write_text("def f(:\n")
    (folder / "empty.py").write_text("")
    done = flake8(".", cwd=folder)
    assert ("bad.py", 5, 12, "NAN301") in places(out(done)) and "E999" in out(done) and b"Traceback" not in done.stderr


@needs_flake8
def test_an_error_inside_is_silence_in_flake8(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    from nanlint import engine
    from nanlint.plugin import NanPlugin

    def broken(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(engine, "check", broken)
    plugin = NanPlugin(ast.parse(HAZARD), HAZARD.splitlines(keepends=True), "bad.py")
    with pytest.raises(RecursionError):
        list(plugin.run())
    monkeypatch.delenv("NANLINT_RAISE")
    assert list(plugin.run()) == []
    assert "bad.py: internal error at test_surfaces.py" in caplog.text


# -- from Python


def test_from_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (finding,) = nanlint.check_source(HAZARD, "a.py")
    assert (finding.code, finding.filename, finding.span.row, finding.span.column) == ("NAN301", "a.py", 5, 11)
    assert nanlint.fix_source(HAZARD) == CURED and nanlint.fix_source(CLEAN) == CLEAN
    assert [f.code for f in nanlint.check_source("def f(:\n")] == ["NAN900"]
    assert nanlint.check_source(HAZARD, settings=nanlint.Settings(ignore=("NAN3",))) == []
    assert [f.filename for f in nanlint.check_paths([folder]).findings] == ["bad.py"]
    assert nanlint.check_paths([folder / "bad.py"], nanlint.Settings(select=("NAN2",))).findings == []


# -- the hooks


def test_the_hooks_run(folder: Path) -> None:
    yaml = pytest.importorskip("yaml")
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert set(hooks) == {"nanlint", "nanlint-fix"}
    for hook in hooks.values():
        assert hook["language"] == "python" and hook["types_or"] == ["python", "pyi"] and hook["require_serial"] is True
    (folder / "build").mkdir()
    shutil.copy(folder / "bad.py", folder / "build" / "bad.py")
    program, *arguments = hooks["nanlint"]["entry"].split()
    assert program == "nanlint"
    done = run(*arguments, *hooks["nanlint"]["args"], "bad.py", "build/bad.py", cwd=folder, code=1)
    assert "Found 1 error." in out(done)
    run(*hooks["nanlint-fix"]["entry"].split()[1:], "bad.py", "build/bad.py", cwd=folder, code=0)
    assert (folder / "bad.py").read_text() == CURED and (folder / "build" / "bad.py").read_text() == HAZARD


# -- the README

BLOCKS = re.findall(r"(?:<!-- test: ([^\n]*) -->\n)?```bash\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_readme_has_its_commands() -> None:
    marks = [mark for mark, _ in BLOCKS]
    assert marks.count("install") == marks.count("tests") == 1 and len(BLOCKS) >= 9


@pytest.mark.parametrize(("mark", "block"), BLOCKS, ids=[" ".join(block.split())[:50] for _, block in BLOCKS])
def test_the_readme_commands_run(mark: str, block: str, tmp_path: Path) -> None:
    """Each in a copy of what it reads, in the present environment: what installs is left out of the first, and the tests are collected, not run."""
    if mark == "flake8" and (find_spec("flake8") is None or not _is_plugin_installed()):
        pytest.skip("the flake8 plugin is not installed")
    shutil.copytree(ROOT / "fixtures" / "demo", tmp_path / "fixtures" / "demo")
    command = block.strip()
    if mark == "install":
        head, command = command.split('pip install -e ".[test,flake8]" && ')
        assert head == "python -m venv .venv && . .venv/bin/activate && "
    if mark == "tests":
        command += f" --collect-only {ROOT / 'tests' / 'test_repair.py'}"
    wrapped = f'nanlint() {{ "{sys.executable}" -m nanlint "$@"; }}; python() {{ "{sys.executable}" "$@"; }}; flake8() {{ "{sys.executable}" -m flake8 "$@"; }}\n{command}'
    done = subprocess.run(["bash", "-c", wrapped], cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=300)
    assert done.returncode == (1 if mark in ("exit 1", "flake8") else 0), done.stdout + done.stderr
    assert done.stdout and "Traceback" not in done.stderr


def test_the_readme_python_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("NAN301 4 ")
