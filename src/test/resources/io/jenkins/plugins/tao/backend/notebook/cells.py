"""Runs the code cells of a notebook one after another in one process, as a commit does: one that raises ends it."""
import json, sys, traceback

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
namespace = {"__name__": "__main__"}
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        try:
            exec(compile(cell["source"], cell["id"], "exec"), namespace)
        except BaseException:
            traceback.print_exc()
            sys.exit(1)
