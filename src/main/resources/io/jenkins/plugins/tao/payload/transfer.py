"""Brings inputs into a container and takes results to S3. Needs Python 3.6 or later and nothing else.

usage: transfer.py download PLAN        before the command; PLAN is JSON without secrets
       transfer.py upload PLAN PID      beside the command: now and then while PID runs, and for good when it has ended
Keys come from the environment: CLOUD_METADATA by bucket, else AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.
"""
import base64
import concurrent.futures
import datetime
import email.utils
import fnmatch
import hashlib
import hmac
import http.client
import json
import os
import re
import ssl
import sys
import threading
import time
import urllib.parse
import urllib.request
import xml.etree.ElementTree

MIB = 1 << 20
TRIES = 6
THREADS = 8
WHOLE = 32 * MIB  # larger files go up in parts
PART = 16 * MIB
MAX_PARTS = 9000
SETTLED = 10  # seconds without a change before a large file is sent while the command runs
LOCK_STALE = 90
PAUSE = float(os.environ.get("TAO_TRANSFER_PAUSE", "1"))
TRANSIENT = (408, 429, 500, 502, 503, 504)
local = threading.local()


def say(text):
    sys.stderr.write("tao: %s\n" % text)
    sys.stderr.flush()


class Refused(Exception):
    """Trying again would not help; the text is for the user."""


class Answer(Exception):
    def __init__(self, status, headers, body):
        Exception.__init__(self)
        self.status, self.headers = status, headers
        text = body.decode("utf-8", "replace")
        self.code = (re.findall("<Code>([^<]*)</Code>", text) or ["HTTP %d" % status])[0]
        self.words = (re.findall("<Message>([^<]*)</Message>", text) or [""])[0]


class Store:
    """One bucket, addressed by path, each request signed (AWS Signature Version 4)."""

    skew = datetime.timedelta()

    def __init__(self, bucket, plan):
        try:
            known = json.loads(os.environ.get("CLOUD_METADATA") or "{}").get("aws", {}).get(bucket, {})
        except (ValueError, AttributeError):
            known = {}
        self.bucket = bucket
        self.access = known.get("access_key") or os.environ.get("AWS_ACCESS_KEY_ID", "")
        self.secret = known.get("secret_key") or os.environ.get("AWS_SECRET_ACCESS_KEY", "")
        self.region = known.get("region") or plan.get("region") or "us-east-1"
        endpoint = known.get("endpoint_url") or plan.get("endpoint") or "https://s3.%s.amazonaws.com" % self.region
        self.url = urllib.parse.urlsplit(endpoint)
        if not self.access or not self.secret:
            raise Refused("there are no S3 keys for bucket %s: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"
                          % bucket)

    def name(self, key):
        return "s3://%s/%s" % (self.bucket, key)

    def signed(self, method, path, query, headers, body):
        now = (datetime.datetime.utcnow() + Store.skew).strftime("%Y%m%dT%H%M%SZ")
        headers = dict(headers, host=self.url.netloc)
        headers["x-amz-date"] = now
        headers["x-amz-content-sha256"] = hashlib.sha256(body).hexdigest()
        if os.environ.get("AWS_SESSION_TOKEN"):
            headers["x-amz-security-token"] = os.environ["AWS_SESSION_TOKEN"]
        names = sorted(headers)
        canonical = "\n".join(
            [method, path, query] + ["%s:%s" % (name, headers[name]) for name in names]
            + ["", ";".join(names), headers["x-amz-content-sha256"]])
        scope = "%s/%s/s3/aws4_request" % (now[:8], self.region)
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        key = ("AWS4" + self.secret).encode()
        for word in scope.split("/"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, digest])
        headers["authorization"] = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s" % (
            self.access, scope, ";".join(names), hmac.new(key, text.encode(), hashlib.sha256).hexdigest())
        return headers

    def once(self, method, key, query, headers, body):
        path = self.url.path.rstrip("/") + "/" + self.bucket + "/" + urllib.parse.quote(key, safe="/-_.~")
        pairs = sorted(query.items())
        text = "&".join("%s=%s" % (quoted(name), quoted(value)) for name, value in pairs)
        connection = connect(self.url)
        connection.request(method, path + ("?" + text if text else ""), body or None,
                           self.signed(method, path, text, headers, body))
        answer = connection.getresponse()
        if answer.status >= 300:
            raise Answer(answer.status, answer.headers, answer.read(MIB))
        return answer

    def ask(self, method, key="", query=None, headers=None, body=b"", read=True):
        """Sends a request until it is answered; returns the answer, and its body when that is to be read at once."""
        for attempt in range(TRIES):
            try:
                answer = self.once(method, key, query or {}, headers or {}, body)
                return (answer, answer.read()) if read else answer
            except Answer as e:
                forget(self.url)
                if e.code == "RequestTimeTooSkewed" and e.headers.get("Date"):
                    told = email.utils.parsedate_to_datetime(e.headers["Date"]).replace(tzinfo=None)
                    Store.skew = told - datetime.datetime.utcnow()
                elif e.status not in TRANSIENT:
                    raise
                why = "%s %s" % (e.code, e.words)
            except (OSError, http.client.HTTPException) as e:
                forget(self.url)
                why = str(e) or type(e).__name__
            wait(attempt)
        raise OSError("no answer from %s for %s after %d tries: %s" % (self.url.netloc, self.name(key), TRIES, why))

    def objects(self, prefix, most=1000):
        """The (key, size, etag) of everything that begins with the prefix."""
        query = {"list-type": "2", "prefix": prefix, "encoding-type": "url", "max-keys": str(most)}
        while True:
            root = xml.etree.ElementTree.fromstring(self.ask("GET", query=query)[1])
            for item in root.iter():
                item.tag = item.tag.rpartition("}")[2]
            for item in root.iter("Contents"):
                yield (urllib.parse.unquote_plus(item.findtext("Key")), int(item.findtext("Size")),
                       (item.findtext("ETag") or "").strip("\""))
            if root.findtext("IsTruncated") != "true" or most == 1:
                return
            query["continuation-token"] = root.findtext("NextContinuationToken") or ""


def explain(store, key, e):
    hints = {
        "NoSuchBucket": "there is no such bucket at %s" % store.url.netloc,
        "InvalidAccessKeyId": "the access key is not known there; see the S3 settings of the target",
        "SignatureDoesNotMatch": "the secret key does not belong to the access key",
        "AccessDenied": "these keys may not do that; they need s3:ListBucket, s3:GetObject and s3:PutObject",
        "AuthorizationHeaderMalformed": "the bucket is in another region than %s" % store.region,
        "PermanentRedirect": "the bucket is in another region than %s" % store.region,
        "PreconditionFailed": "it was changed while it was fetched",
    }
    return "%s: %s" % (store.name(key), hints.get(e.code, "%s %s" % (e.code, e.words)))


def quoted(text):
    return urllib.parse.quote(text, safe="-_.~")


def wait(attempt):
    time.sleep(min(30, PAUSE * 2 ** attempt))


def connect(url):
    """One kept connection for each thread, through the proxy of the environment where there is one."""
    kept = local.__dict__.setdefault("connections", {})
    if url.netloc not in kept:
        secure = url.scheme == "https"
        context = ssl.create_default_context(cafile=os.environ.get("AWS_CA_BUNDLE") or None) if secure else None
        proxy = None if urllib.request.proxy_bypass(url.hostname) else urllib.request.getproxies().get(url.scheme)
        via = urllib.parse.urlsplit(proxy if "://" in proxy else "http://" + proxy) if proxy else url
        port = via.port or (443 if via.scheme == "https" else 80)
        if secure:
            connection = http.client.HTTPSConnection(via.hostname, port, timeout=60, context=context)
        else:
            connection = http.client.HTTPConnection(via.hostname, port, timeout=60)
        if proxy:
            login = {}
            if via.username:
                pair = "%s:%s" % (urllib.parse.unquote(via.username), urllib.parse.unquote(via.password or ""))
                login = {"Proxy-Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
            connection.set_tunnel(url.hostname, url.port or (443 if secure else 80), login)
        kept[url.netloc] = connection
    return kept[url.netloc]


def forget(url):
    connection = local.__dict__.get("connections", {}).pop(url.netloc, None)
    if connection:
        connection.close()


def md5(data=b""):
    try:
        return hashlib.md5(data, usedforsecurity=False)
    except TypeError:
        return hashlib.md5(data)


def md5_of(path, size, parts):
    """The ETag that S3 gives the file, in parts of ours or whole."""
    with open(path, "rb") as file:
        if parts:
            step = part_size(size)
            digests = [md5(piece).digest() for piece in iter(lambda: file.read(step), b"")]
            return "%s-%d" % (md5(b"".join(digests)).hexdigest(), len(digests))
        whole = md5()
        for piece in iter(lambda: file.read(MIB), b""):
            whole.update(piece)
        return whole.hexdigest()


def part_size(size):
    return max(PART, -(-size // MAX_PARTS // MIB) * MIB + MIB if size > PART * MAX_PARTS else PART)


def is_md5(etag):
    return re.match("[0-9a-f]{32}$", etag) is not None


class Progress:
    def __init__(self, verb, files, total):
        self.verb, self.files, self.total = verb, files, total
        self.done, self.told, self.lock = 0, time.monotonic(), threading.Lock()

    def add(self, count):
        with self.lock:
            self.done += count
            if time.monotonic() - self.told >= 10:
                self.told = time.monotonic()
                say("%s: %s of %s" % (self.verb, human(self.done), human(self.total)))


def human(count):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return "%.4g %s" % (count, unit)
        count /= 1024.0
    return "%.4g TiB" % count


def in_parallel(work, items):
    """Does all of the work, and then raises the first thing that went wrong."""
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        tasks = [pool.submit(work, *item) for item in items]
    for task in tasks:
        task.result()


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
            " be using it. Set TAO_FRESH_INPUTS=1 to fetch it anew" % (path, os.path.getsize(path), size))
        return False


class Lock:
    """Held by one replica while it fetches; a holder that died is noticed by its silence."""

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
        except Answer as e:
            raise Refused(explain(store, key, e))
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
        for name, size, etag in store.objects(key, 1):
            if name == key:
                return [(name, size, etag, path)]
    prefix = key + "/" if key else ""
    found = []
    for name, size, etag in store.objects(prefix):
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
    except (Answer, OSError, http.client.HTTPException) as e:
        why = explain(store, key, e) if isinstance(e, Answer) else str(e)
        if not here:
            raise Refused(why)
        say("WARNING: %s is used as it is; S3 cannot be asked whether it is current: %s" % (path, why))
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
        if cache.shared:
            with Lock(cache.place(file["path"], ".lock")):
                download_one(file, plan, cache)
        else:
            download_one(file, plan, cache)
    for model in plan["models"]:
        raise Refused("hf_model://%s cannot be fetched yet" % model["repository"])


# ---- results ----

class Uploader:
    def __init__(self, plan):
        self.plan, self.sent = plan, {}
        self.files = [(file["path"], Store(file["bucket"], plan), file["key"]) for file in plan["files"]]
        self.there = {}

    def excluded(self, name):
        patterns = self.plan["exclude"] + ["*.tao-part", ".tao/*"]
        return any(fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(os.path.basename(name), pattern)
                   for pattern in patterns)

    def local_files(self, path, key):
        if os.path.isfile(path):
            return [(path, key)]
        found = []
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                rest = os.path.relpath(full, path)
                if os.path.isfile(full) and not self.excluded(rest):
                    found.append((full, key + "/" + rest if key else rest))
        return found

    def sync(self, final):
        """Sends what is new; returns how many files there are and their bytes."""
        work, count, total = [], 0, 0
        for path, store, key in self.files:
            if not os.path.exists(path):
                if final:
                    raise Refused("the output %s is not there" % path)
                continue
            if (store.bucket, key) not in self.there:
                prefix = key + "/" if key and os.path.isdir(path) else key
                self.there[store.bucket, key] = {name: rest for name, *rest in store.objects(prefix)}
            for full, name in self.local_files(path, key):
                try:
                    stat = os.stat(full)
                except FileNotFoundError:
                    continue
                state = (stat.st_size, stat.st_mtime_ns)
                count, total = count + 1, total + stat.st_size
                young = time.time() - stat.st_mtime < SETTLED and stat.st_size > MIB
                if self.sent.get(full) != state and (final or not young):
                    work.append((store, full, name, state, self.there[store.bucket, key].get(name)))
        progress = Progress("uploading", len(work), sum(each[3][0] for each in work))
        in_parallel(lambda *each: self.put(*each, progress=progress), work)
        return count, total

    def put(self, store, path, key, state, known, progress):
        size = state[0]
        try:
            if not (known and known[0] == size and known[1] == md5_of(path, size, "-" in known[1])):
                if size > WHOLE:
                    self.put_parts(store, path, key, size, progress)
                else:
                    with open(path, "rb") as file:
                        self.put_whole(store, key, file.read(), progress)
            self.sent[path] = state
        except FileNotFoundError:
            pass  # the command has removed it in the meantime
        except Answer as e:
            raise Refused(explain(store, key, e))

    def put_whole(self, store, key, data, progress, query=None):
        checksum = md5(data)
        headers = {"content-md5": base64.b64encode(checksum.digest()).decode()}
        for attempt in range(TRIES):
            answer = store.ask("PUT", key, query, headers, data)[0]
            etag = (answer.headers.get("ETag") or "").strip("\"")
            if has_other_etag(answer) or not is_md5(etag) or etag == checksum.hexdigest():
                progress.add(len(data))
                return etag
            wait(attempt)
        raise OSError("%s arrived damaged %d times" % (store.name(key), TRIES))

    def put_parts(self, store, path, key, size, progress):
        body = store.ask("POST", key, {"uploads": ""})[1]
        upload = re.search("<UploadId>([^<]*)</UploadId>", body.decode()).group(1)
        try:
            etags = []
            with open(path, "rb") as file:
                for data in iter(lambda: file.read(part_size(size)), b""):
                    query = {"partNumber": str(len(etags) + 1), "uploadId": upload}
                    etags.append(self.put_whole(store, key, data, progress, query))
            parts = "".join("<Part><PartNumber>%d</PartNumber><ETag>\"%s\"</ETag></Part>" % (number + 1, etag)
                            for number, etag in enumerate(etags))
            text = "<CompleteMultipartUpload>%s</CompleteMultipartUpload>" % parts
            try:
                body = store.ask("POST", key, {"uploadId": upload}, {}, text.encode())[1]
            except Answer as e:
                if e.code != "NoSuchUpload":  # else an earlier try did it, and its answer was lost
                    raise
            if b"<Error>" in body:
                raise Answer(500, {}, body)
        except BaseException:
            try:
                store.ask("DELETE", key, {"uploadId": upload})
            except (Answer, OSError, http.client.HTTPException):
                pass
            raise

    def verify(self):
        for path, store, key in self.files:
            prefix = key + "/" if key and os.path.isdir(path) else key
            there = {name: size for name, size, _ in store.objects(prefix)}
            for full, name in self.local_files(path, key):
                if there.get(name) != os.path.getsize(full):
                    raise Refused("%s is not at %s as it is here" % (full, store.name(name)))


def alive(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False
    except PermissionError:
        return True


def upload(plan, pid):
    uploader = Uploader(plan)
    due = time.monotonic() + plan["every"]
    while alive(pid):
        if plan["every"] and time.monotonic() >= due:
            try:
                uploader.sync(False)
            except (Answer, Refused, OSError, http.client.HTTPException) as e:
                say("WARNING: results could not be uploaded now, it is tried again: %s"
                    % (e.code if isinstance(e, Answer) else e))
            due = time.monotonic() + plan["every"]
        time.sleep(0.5)
    count, total = uploader.sync(True)
    uploader.verify()
    say("upload verified: %d files, %s in %s" % (
        count, human(total), ", ".join(store.name(key) for _, store, key in uploader.files)))


def main(arguments):
    try:
        if arguments[0] == "download":
            download(json.loads(arguments[1]))
        else:
            upload(json.loads(arguments[1]), int(arguments[2]))
        return 0
    except Answer as e:
        say("ERROR: S3 refused: %s %s" % (e.code, e.words))
    except (Refused, OSError, http.client.HTTPException) as e:
        say("ERROR: %s" % e)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
