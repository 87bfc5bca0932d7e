

# ---- the newest whole checkpoint of this job, where results lie in S3 alone ----

ZIP_BEGIN, ZIP_END, ZIP_END_SIZE = b"PK\x03\x04", b"PK\x05\x06", 22


def is_in(folder, plan):
    """Whether a folder below the results directory is one of those in which the network leaves its checkpoints."""
    for part in plan["folders"].split("|"):
        pattern = {".": "", "train": plan["train"]}.get(part, part)
        words, wanted = folder.split("/"), pattern.split("/")
        if len(words) == len(wanted) and all(fnmatch.fnmatchcase(*pair) for pair in zip(words, wanted)):
            return True
    return False


def owned_since(store, plan):
    """When this job began to write to the address, by the clock of the storage; None where it has not yet."""
    if plan["owner"] in plan["key"]:
        return ""
    note = plan["key"] + "/.tao/owner" if plan["key"] else ".tao/owner"
    for found, _, _, written in store.objects(note, 1):
        if found == note and store.ask("GET", note)[1].decode().strip() == plan["owner"]:
            return written
    return None


def checkpoints(store, plan):
    """The (numbers of the name, key, size, etag, path below the results) of those there, newest first."""
    since = owned_since(store, plan)
    prefix = plan["key"] + "/" if plan["key"] else ""
    found = []
    for key, size, etag, written in store.objects(prefix) if since is not None else ():
        folder, _, name = key[len(prefix):].rpartition("/")
        if written >= since and is_in(folder, plan) and re.fullmatch(plan["names"], name):
            numbers = [int(number) for number in re.findall("[0-9]+", name)]
            found.append((numbers, key, size, etag, key[len(prefix):]))
    return sorted(found, reverse=True)


def piece(store, key, etag, first, last):
    headers = {"range": "bytes=%d-%d" % (first, last), "if-match": "\"%s\"" % etag}
    answer = store.ask("GET", key, headers=headers, read=False)
    if answer.status != 206:  # all of it comes, which may be more than fits in the memory
        forget(store.url)
        return b""
    return answer.read()


def is_whole(store, key, size, etag):
    """Whether the archive has its beginning and its end: what was sent while it was still written has none."""
    return size > ZIP_END_SIZE + len(ZIP_BEGIN) and (
        piece(store, key, etag, 0, 3)[:4] == ZIP_BEGIN
        and piece(store, key, etag, size - ZIP_END_SIZE, size - 1)[:4] == ZIP_END)


def note_begin(plan):
    """What lies here from now on was written by this job: the program that chooses asks for that note."""
    mark = os.path.join(plan["root"], ".tao", "checkpoints")
    os.makedirs(os.path.dirname(mark), exist_ok=True)
    with open(mark, "w") as file:
        file.write(plan["owner"] + "\n")
    os.utime(mark, (0, 0))


def resume(plan):
    store = Store(plan["bucket"], plan)
    for _, key, size, etag, rest in checkpoints(store, plan):
        path = os.path.join(plan["root"], rest)
        if os.path.exists(path):
            return  # it has not left this container
        if is_whole(store, key, size, etag):
            say("fetching the checkpoint %s, %s" % (store.name(key), human(size)))
            note_begin(plan)
            fetch(store, key, size, etag, path, Progress("fetching", 1, size))
            return
        say("%s is not proved whole; nothing resumes from it" % store.name(key))
