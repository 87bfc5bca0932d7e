"""Brings inputs into a container and takes results to S3. Needs Python 3.6 or later and nothing else.

usage: python3 -c TEXT download PLAN        before the command; PLAN is JSON without secrets
       python3 -c TEXT code PLAN PLACE     before the command: its code, read-only
       python3 -c TEXT upload PLAN PID      beside the command: now and then while PID runs, and for good when it has ended
Keys come from the environment: CLOUD_METADATA by bucket, else AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, else from the
role of the container: see roles.py.
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
import tarfile
import threading
import time
import urllib.error
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
    """Trying again would not help; the text is for the user, the code is a word of S3."""

    def __init__(self, text, code=""):
        Exception.__init__(self, text)
        self.code = code


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
        self.session = known.get("session_token") or ""
        if not self.session and self.access == os.environ.get("AWS_ACCESS_KEY_ID"):
            self.session = os.environ.get("AWS_SESSION_TOKEN", "")  # it belongs to that key, and to no other
        self.region = known.get("region") or plan.get("region") or "us-east-1"
        endpoint = known.get("endpoint_url") or plan.get("endpoint") or "https://s3.%s.amazonaws.com" % self.region
        self.url = urllib.parse.urlsplit(endpoint)
        self.by_role = not self.access or not self.secret
        if self.by_role and not self.take_role():
            raise Refused("there are no S3 keys for bucket %s: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set, and this"
                          " container has no role" % bucket)

    def take_role(self):
        """The keys of the role of the container as they are now; several threads may sign at once."""
        keys = role_keys(self.region, Store.skew)
        if keys:
            self.access, self.secret, self.session = keys
        return keys

    def name(self, key):
        return "s3://%s/%s" % (self.bucket, key)

    def signed(self, method, path, query, headers, body):
        now = (utc_now() + Store.skew).strftime("%Y%m%dT%H%M%SZ")
        access, secret, session = self.by_role and self.take_role() or (self.access, self.secret, self.session)
        headers = dict(headers, host=self.url.netloc)
        headers["x-amz-date"] = now
        headers["x-amz-content-sha256"] = hashlib.sha256(body).hexdigest()
        if session:
            headers["x-amz-security-token"] = session
        names = sorted(headers)
        canonical = "\n".join(
            [method, path, query] + ["%s:%s" % (name, headers[name]) for name in names]
            + ["", ";".join(names), headers["x-amz-content-sha256"]])
        scope = "%s/%s/s3/aws4_request" % (now[:8], self.region)
        digest = hashlib.sha256(canonical.encode()).hexdigest()
        key = ("AWS4" + secret).encode()
        for word in scope.split("/"):
            key = hmac.new(key, word.encode(), hashlib.sha256).digest()
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, digest])
        headers["authorization"] = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s" % (
            access, scope, ";".join(names), hmac.new(key, text.encode(), hashlib.sha256).hexdigest())
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

    def ask(self, method, key="", query=None, headers=None, body=b"", read=True, about=None):
        """Sends a request until it is answered; returns the answer, and its body when that is to be read at once."""
        for attempt in range(TRIES):
            try:
                answer = self.once(method, key, query or {}, headers or {}, body)
                return (answer, answer.read()) if read else answer
            except Answer as e:
                forget(self.url)
                if e.code == "RequestTimeTooSkewed" and e.headers.get("Date"):
                    Store.skew = email.utils.parsedate_to_datetime(e.headers["Date"]) - utc_now()
                elif e.status not in TRANSIENT:
                    raise Refused(explain(self, about or key, e), e.code)
                why = "%s %s" % (e.code, e.words)
            except (OSError, http.client.HTTPException) as e:
                forget(self.url)
                why = str(e) or type(e).__name__
            wait(attempt)
        raise OSError("no answer from %s for %s after %d tries: %s" % (self.url.netloc, self.name(key), TRIES, why))

    def objects(self, prefix, most=1000):
        """The (key, size, etag, time of writing) of everything that begins with the prefix."""
        query = {"list-type": "2", "prefix": prefix, "encoding-type": "url", "max-keys": str(most)}
        while True:
            root = xml.etree.ElementTree.fromstring(self.ask("GET", query=query, about=prefix.rstrip("/"))[1])
            for item in root.iter():
                item.tag = item.tag.rpartition("}")[2]
            encoded = root.findtext("EncodingType") == "url"  # not every storage does as it was asked
            for item in root.iter("Contents"):
                key = item.findtext("Key")
                yield (urllib.parse.unquote_plus(key) if encoded else key, int(item.findtext("Size")),
                       (item.findtext("ETag") or "").strip("\""), (item.findtext("LastModified") or "")[:19])
            if root.findtext("IsTruncated") != "true" or most == 1:
                return
            query["continuation-token"] = root.findtext("NextContinuationToken") or ""


def utc_now():
    return datetime.datetime.now(datetime.timezone.utc)


def explain(store, key, e):
    hints = {
        "NoSuchBucket": "there is no such bucket at %s" % store.url.netloc,
        "InvalidAccessKeyId": "the access key is not known there; see the S3 settings of the target",
        "SignatureDoesNotMatch": "the secret key does not belong to the access key",
        "ExpiredToken": "the session token of the keys has run out",
        "InvalidToken": "the session token does not belong to the keys",
        "AccessDenied": "these keys may not do that; they need s3:ListBucket, s3:GetObject and s3:PutObject, and the right"
                        " secret key",
        "AuthorizationHeaderMalformed": "the bucket is in another region than %s" % store.region,
        "PermanentRedirect": "the bucket is in another region than %s" % store.region,
        "PreconditionFailed": "it was changed while it was fetched",
    }
    return "%s: %s" % (store.name(key) if key else "s3://" + store.bucket, hints.get(e.code, "%s %s" % (e.code, e.words)))


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
