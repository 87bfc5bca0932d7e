

# ---- models of Hugging Face ----

class Elsewhere(urllib.request.HTTPRedirectHandler):
    """Follows to the storage of the hub, which must not see the token."""

    def redirect_request(self, request, *rest):
        following = urllib.request.HTTPRedirectHandler.redirect_request(self, request, *rest)
        if following and urllib.parse.urlsplit(following.full_url).netloc != urllib.parse.urlsplit(request.full_url).netloc:
            following.headers.pop("Authorization", None)
        return following


def hub(path, model, have=0):
    """Asks the hub, as often as it takes."""
    base = (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
    headers = {"Range": "bytes=%d-" % have} if have else {}
    if os.environ.get("HF_TOKEN"):
        headers["Authorization"] = "Bearer " + os.environ["HF_TOKEN"]
    for attempt in range(TRIES):
        try:
            request = urllib.request.Request(base + urllib.parse.quote(path, safe="/?="), headers=headers)
            return urllib.request.build_opener(Elsewhere).open(request, timeout=60)
        except urllib.error.HTTPError as e:
            if e.code in (401, 403):
                raise Refused("hf_model://%s is gated or private: accept its terms on Hugging Face and give the job"
                              " the secret HF_TOKEN%s" % (model, " of an account that may read it"
                                                          if os.environ.get("HF_TOKEN") else ""))
            if e.code == 404:
                raise Refused("hf_model://%s is not there" % model)
            if e.code not in TRANSIENT:
                raise Refused("hf_model://%s: the hub answers %d" % (model, e.code))
            why = e
        except OSError as e:
            why = e
        wait(attempt)
    raise OSError("no answer from %s for hf_model://%s: %s" % (base, model, why))


def fetch_model(model, cache):
    """All files of one revision, each by the size and the checksum that the hub has for it."""
    name, root = "%s@%s" % (model["repository"], model["revision"]), model["local"]
    here = os.path.isdir(root) and os.listdir(root)
    if here and not cache.fresh:
        say("hf_model://%s is here already: %s" % (name, root))
        return
    with hub("/api/models/%s/revision/%s?blobs=true" % (model["repository"], model["revision"]), name) as answer:
        known = json.loads(answer.read().decode())
    if here and known.get("sha") and cache.etag(root) == known["sha"]:
        say("hf_model://%s is here already: %s" % (name, root))
        return
    staging = root + ".tao-part"
    say("fetching hf_model://%s to %s: %d files" % (name, root, len(known["siblings"])))
    for file in known["siblings"]:
        if any(word in ("", ".", "..") for word in file["rfilename"].split("/")):
            raise Refused("hf_model://%s has a file that cannot be a path here" % name)
        address = "/%s/resolve/%s/%s" % (model["repository"], known.get("sha") or model["revision"], file["rfilename"])
        fetch_whole(lambda have: hub(address, name, have), file, os.path.join(staging, file["rfilename"]), "hf_model://" + name)
    if os.path.isdir(root):
        os.rename(root, "%s.old-%d" % (root, time.time()))
    os.rename(staging, root)
    cache.remember(root, known.get("sha") or "")
    say("fetched hf_model://%s" % name)


def fetch_whole(ask, file, path, name):
    """Brings one file, by its size and checksum; what is there of it is gone on with."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    checksum, size = (file.get("lfs") or {}).get("sha256"), file.get("size")
    for attempt in range(TRIES):
        have = os.path.getsize(path) if os.path.exists(path) else 0
        try:
            if size is None or have < size or size == 0:
                with ask(have) as answer, open(path, "ab" if answer.status == 206 else "wb") as out:
                    for piece in iter(lambda: answer.read(MIB), b""):
                        out.write(piece)
            whole = hashlib.sha256()
            with open(path, "rb") as out:
                for piece in iter(lambda: out.read(MIB), b""):
                    whole.update(piece)
            if (size is None or os.path.getsize(path) == size) and checksum in (None, whole.hexdigest()):
                return
            if size is None or os.path.getsize(path) >= size:
                os.unlink(path)
        except (OSError, http.client.HTTPException) as e:
            say("%s: %s was cut off (%s)" % (name, file["rfilename"], e))
        wait(attempt)
    raise Refused("%s: %s could not be fetched whole" % (name, file["rfilename"]))
