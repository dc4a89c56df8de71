"""The tutorial is one text in two forms: a script, and a notebook to open.

    python tests/test_tutorial.py          writes the notebook from the script
"""

import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1]


def cells(script):
    """The cells of a script in percent format: kind and lines."""
    found = []
    for part in script.split("# %%")[1:]:
        head, _, body = part.partition("\n")
        text = body.strip("\n")
        if "[markdown]" in head:
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.split("\n"))
        found.append(("markdown" if "[markdown]" in head else "code", text))
    return found


def notebook(script):
    """The script as a notebook."""
    listed = []
    for number, (kind, text) in enumerate(cells(script)):
        cell = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(True)}
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        listed.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": listed, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def test_the_notebook_is_the_script():
    made = json.loads((FOLDER / "tutorial.ipynb").read_text(encoding="utf-8"))
    assert made == notebook((FOLDER / "tutorial.py").read_text(encoding="utf-8"))


def test_the_cells_about_plans_run(capsys):
    made = json.loads((FOLDER / "tutorial.ipynb").read_text(encoding="utf-8"))
    names = {}
    exec("import planoku", names)
    reached = False
    for cell in made["cells"]:
        source = "".join(cell["source"])
        reached |= source.startswith("## A plan")
        if reached and cell["cell_type"] == "code":
            exec(compile(source, "tutorial.ipynb", "exec"), names)
    assert reached and names["verdict"]
    assert "walk-and-sweep" in capsys.readouterr().out


if __name__ == "__main__":
    text = (FOLDER / "tutorial.py").read_text(encoding="utf-8")
    written = json.dumps(notebook(text), indent=1, ensure_ascii=False) + "\n"
    (FOLDER / "tutorial.ipynb").write_text(written, encoding="utf-8")
