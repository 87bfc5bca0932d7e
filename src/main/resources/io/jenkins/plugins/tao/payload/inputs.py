

# ---- inputs ----

class Cache:
    """What is known of files that lie here already: the ETag they were fetched with."""

    def __init__(self, plan):
        self.root, self.shared = plan["cache"], plan["shared"]
        self.fresh = os.environ.get("TAO_FRESH_INPUTS", "") not in ("", "0", "false")

    def place(self, path, suffix=""):
        return os.path.join(self.root, hashlib.sha256(path.encode("utf-8", "surrogateescape")).hexdigest() + suffix)

    def etag(self, path):
        try:
            with open(self.place(path)) as file:
                return file.read().strip()
        except OSError:
            return ""

    def remember(self, path, etag):
        with open(self.place(path, ".part"), "w") as file:
            file.write(etag + "\n")
        os.replace(self.place(path, ".part"), self.place(path))

    def wants(self, path, size, etag):
        """Whether the file is to be fetched; one that differs on a shared volume is told and left."""
        if not os.path.isfile(path) or self.fresh and (self.etag(path) != etag or os.path.getsize(path) != size):
            return True
        if os.path.getsize(path) == size and self.etag(path) in ("", etag):
            return False
        if not self.shared:
            return True
        say("WARNING: %s is not what S3 has now (%d bytes here, %d there); it is used as it is, because other jobs may"
            " be using it. Set TAO_FRESH_INPUTS=1 to fetch it again" % (path, os.path.getsize(path), size))
        return False


class Lock:
    """Held by one replica or pod while it fetches, for a volume may be behind any path; a holder that died is noticed by its silence."""

    def __init__(self, path):
        self.path, self.ended = path, threading.Event()

    def __enter__(self):
        told = False
        while True:
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                break
            except FileExistsError:
                try:
                    if time.time() - os.stat(self.path).st_mtime > LOCK_STALE:
                        os.unlink(self.path)
                        continue
                except FileNotFoundError:
                    continue
                if not told:
                    say("another replica is fetching the same input; waiting for it")
                told = True
                time.sleep(1)
        threading.Thread(target=self.beat, daemon=True).start()

    def beat(self):
        while not self.ended.wait(10):
            os.utime(self.path, None)

    def __exit__(self, *ignored):
        self.ended.set()
        os.unlink(self.path)


def fetch(store, key, size, etag, path, progress):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = os.path.join(os.path.dirname(path), ".%s.%s.tao-part" % (
        os.path.basename(path)[:100], hashlib.sha256(etag.encode()).hexdigest()[:12]))
    stuck = 0
    while True:
        have = os.path.getsize(part) if os.path.exists(part) else 0
        try:
            if have > size or size == 0:
                open(part, "wb").close()
                have = 0
            kms = have < size and fetch_rest(store, key, etag, part, have, progress)
            if os.path.getsize(part) != size:
                raise OSError("the answer was cut off")
            if is_md5(etag) and not kms and md5_of(part, size, False) != etag:
                os.unlink(part)
                raise OSError("the checksum of what came is wrong")
            os.replace(part, path)
            return
        except (OSError, http.client.HTTPException) as e:
            forget(store.url)
            stuck = 0 if os.path.exists(part) and os.path.getsize(part) > have else stuck + 1
            if stuck >= TRIES:
                raise Refused("%s could not be fetched: %s" % (store.name(key), e))
            wait(stuck)


def has_other_etag(answer):
    """With a key of KMS or of the customer, the ETag is no checksum of the content."""
    return any(name in answer.headers for name in ("x-amz-server-side-encryption-customer-algorithm",)) or (
        answer.headers.get("x-amz-server-side-encryption", "").startswith("aws:kms"))


def fetch_rest(store, key, etag, part, have, progress):
    """Appends what is missing; tells whether the ETag is no checksum."""
    headers = {"if-match": "\"%s\"" % etag}
    if have:
        headers["range"] = "bytes=%d-" % have
    answer = store.ask("GET", key, headers=headers, read=False)
    with open(part, "ab" if answer.status == 206 else "wb") as file:
        for piece in iter(lambda: answer.read(MIB), b""):
            file.write(piece)
            progress.add(len(piece))
        file.flush()
        os.fsync(file.fileno())
    return has_other_etag(answer)


def wanted(store, key, path):
    """The (key, size, etag, path) of the object, or of all objects below the key."""
    if key:
        for name, size, etag, _ in store.objects(key, 1):
            if name == key:
                return [(name, size, etag, path)]
    prefix = key + "/" if key else ""
    found = []
    for name, size, etag, _ in store.objects(prefix):
        rest = name[len(prefix):]
        if rest.endswith("/") or not rest:
            continue
        if any(word in ("", ".", "..") for word in rest.split("/")):
            raise Refused("%s cannot be a path here; rename it" % store.name(name))
        found.append((name, size, etag, os.path.join(path, rest)))
    return found


def download_one(file, plan, cache):
    store, key, path = Store(file["bucket"], plan), file["key"], file["path"]
    here = os.path.isfile(path) or os.path.isdir(path) and bool(os.listdir(path))
    try:
        found = wanted(store, key, path)
    except (Refused, OSError, http.client.HTTPException) as e:
        if not here:
            raise
        say("WARNING: %s is used as it is; S3 cannot be asked whether it is current: %s" % (path, e))
        return
    if not found and not here:
        raise Refused("there is nothing at %s" % store.name(key))
    missing = [each for each in found if cache.wants(each[3], each[1], each[2])]
    if not missing:
        say("%s is here already: %s" % (store.name(key), path))
        return
    total = sum(each[1] for each in missing)
    say("fetching %s to %s: %d of %d files, %s" % (store.name(key), path, len(missing), len(found), human(total)))
    progress = Progress("fetching", len(missing), total)

    def work(name, size, etag, target):
        fetch(store, name, size, etag, target, progress)
        cache.remember(target, etag)

    in_parallel(work, missing)
    say("fetched %s: %d files, %s" % (store.name(key), len(missing), human(total)))


def download(plan):
    cache = Cache(plan)
    os.makedirs(cache.root, exist_ok=True)
    for file in plan["files"]:
        with Lock(cache.place(file["path"], ".lock")):
            download_one(file, plan, cache)
    for model in plan["models"]:
        with Lock(cache.place(model["local"], ".lock")):
            fetch_model(model, cache)
    for artifact in plan.get("artifacts", []):
        with Lock(cache.place(artifact["local"], ".lock")):
            fetch_artifact(artifact, cache)
