"""A drive that shows what was written to it only after it was flushed, as the real one may; SIM_DRIVE keeps its content."""
import os, pathlib, shutil

KEPT = pathlib.Path(os.environ["SIM_DRIVE"])
mounted = None


def mount(path, force_remount=False):
    global mounted
    mounted = pathlib.Path(path) / "MyDrive"
    if not mounted.exists():
        shutil.copytree(KEPT, mounted)


def flush_and_unmount():
    for file in list(mounted.rglob("*")):
        if file.is_file() and file.name == os.environ.get("SIM_LOST"):
            file.write_bytes(b"")
    shutil.copytree(mounted, KEPT, dirs_exist_ok=True)
    shutil.rmtree(mounted)
