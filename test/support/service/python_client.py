"""A client as the Python library for the Zulip 2.1 API is one, on nothing but Python's standard library.

It sends what that library sends: form bodies or queries in which everything but a string is JSON, HTTP Basic
with e-mail address and key, the library's User-Agent and the headers of `requests`; it repeats a request after a
lost connection or a 5xx answer, one second apart, with `dont_block` added.

    python_client.py tour SITE EMAIL KEY PEER_EMAIL PEER_KEY    every call once; prints one JSON object
    python_client.py follow SITE EMAIL KEY                      prints events, one JSON line each, until `done`

SSL_CERT_FILE names the authorities that it trusts, as REQUESTS_CA_BUNDLE does for that library.
"""

import base64
import http.client
import json
import platform
import sys
import threading
import time
import urllib.parse


class Client:
    def __init__(self, site, email, key):
        self.site = urllib.parse.urlsplit(site)
        self.email = email
        self.key = key
        self.retries = 0
        self.local = threading.local()
        settings = self.call_endpoint("server_settings", method="GET")
        self.zulip_version = settings.get("zulip_version")
        self.feature_level = settings.get("zulip_feature_level", 0)
        assert self.zulip_version is not None
        self.settings = settings

    def headers(self, body):
        credentials = base64.b64encode(f"{self.email}:{self.key}".encode()).decode()
        headers = {
            "User-agent": f"ZulipPython/0.6.1 ({platform.system()}; {platform.release()})",
            "Accept-Encoding": "gzip, deflate",
            "Accept": "*/*",
            "Connection": "keep-alive",
            "Authorization": f"Basic {credentials}",
        }
        if body is not None:
            headers["Content-Length"] = str(len(body))
            if body != "":
                headers["Content-Type"] = "application/x-www-form-urlencoded"
        return headers

    def request(self, method, url, fields, timeout):
        """One request on a connection that is kept; status and body."""
        encoded = urllib.parse.urlencode(fields)
        target = f"/api/v1/{url}"
        body = None
        if method == "GET":
            target += f"?{encoded}" if encoded else ""
        else:
            body = encoded
        connection = getattr(self.local, "connection", None)
        if connection is None:
            is_secure = self.site.scheme == "https"
            kind = http.client.HTTPSConnection if is_secure else http.client.HTTPConnection
            connection = kind(self.site.hostname, self.site.port)
            self.local.connection = connection
        connection.timeout = timeout
        try:
            connection.request(method, target, body, self.headers(body))
            response = connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            self.local.connection = None
            raise

    def do_api_query(self, fields, url, method, longpolling):
        fields = {k: v if isinstance(v, str) else json.dumps(v) for k, v in fields.items()}
        failures = 0
        while True:
            try:
                status, text = self.request(method, url, fields, 90 if longpolling else 15)
                if status < 500:
                    return json.loads(text)
                error = f"status {status}"
            except TimeoutError:
                if longpolling:
                    continue
                raise
            except (OSError, http.client.HTTPException) as exception:
                error = repr(exception)
            if failures >= 10:
                return {"result": "connection-error", "msg": error}
            failures += 1
            self.retries += 1
            fields["dont_block"] = json.dumps(True)
            time.sleep(1)

    def call_endpoint(self, url, method="POST", request=None, longpolling=False):
        fields = {k: v for k, v in (request or {}).items() if v is not None}
        return self.do_api_query(fields, url, method, longpolling)

    def register(self, event_types=None, narrow=None, **more):
        fields = dict(event_types=event_types, narrow=narrow or [], **more)
        return self.call_endpoint("register", request=fields)

    def deregister(self, queue_id):
        return self.call_endpoint("events", "DELETE", {"queue_id": queue_id})

    def get_events(self, **fields):
        return self.call_endpoint("events", "GET", fields, longpolling=True)

    def send_message(self, fields):
        return self.call_endpoint("messages", request=fields)

    def get_messages(self, fields):
        return self.call_endpoint("messages", "GET", fields)

    def add_subscriptions(self, streams, **more):
        fields = dict(subscriptions=streams, **more)
        return self.call_endpoint("users/me/subscriptions", request=fields)

    def call_on_each_event(self, callback, event_types=None, narrow=None):
        """Until the callback answers True."""
        queue_id = None
        last_event_id = -1
        while True:
            if queue_id is None:
                registered = self.register(event_types, narrow)
                if "error" in registered["result"]:
                    time.sleep(1)
                    continue
                queue_id, last_event_id = registered["queue_id"], registered["last_event_id"]
                callback({"id": last_event_id, "type": "registered", "queue_id": queue_id})
            answer = self.get_events(queue_id=queue_id, last_event_id=last_event_id)
            if "error" in answer["result"]:
                if answer["msg"].startswith("Bad event queue id:"):
                    queue_id = None
                time.sleep(1)
                continue
            for event in answer["events"]:
                last_event_id = max(last_event_id, int(event["id"]))
                if callback(event):
                    self.deregister(queue_id)
                    return


def collect(client, count):
    """Events of a thread that waits for as many messages; what to join to have them."""
    events = []
    is_registered = threading.Event()

    def on_event(event):
        events.append(event)
        is_registered.set()
        return sum(each["type"] == "message" for each in events) >= count

    thread = threading.Thread(target=client.call_on_each_event, args=(on_event, ["message"]))
    thread.daemon = True
    thread.start()
    is_registered.wait(30)
    return thread, events


def sends(client, peer):
    """Every form of recipient that scripts and bots use."""
    ids = {user["email"]: user["user_id"] for user in client.call_endpoint("users", "GET")["members"]}
    own, other = ids[client.email], ids[peer.email]
    both = f"{client.email}, {peer.email}"
    drafts = [
        {"type": "stream", "to": "python", "subject": "castle", "content": "subject"},
        {"type": "stream", "to": ["python"], "topic": "castle", "content": "list of one name"},
        {"type": "stream", "to": "python", "subject": "ünïcode & 100% +1", "content": "ünïcode é 🙂 & + %"},
        {"type": "private", "to": [client.email], "content": "list of addresses"},
        {"type": "private", "to": client.email.upper(), "content": "an address"},
        {"type": "private", "to": both, "content": "addresses and commas"},
        {"type": "private", "to": [own], "content": "list of ids"},
        {"type": "private", "to": [own, other], "content": "everybody's id, the sender's too"},
        {
            "type": "private",
            "to": [client.email],
            "content": "as bots answer",
            "subject": "",
            "sender_id": 3,
            "display_recipient": [{"id": own}],
            "dont_block": True,
        },
    ]
    return [peer.send_message(draft) for draft in drafts]


def tour(site, email, key, peer_email, peer_key):
    client, peer = Client(site, email, key), Client(site, peer_email, peer_key)
    out = {"settings": client.settings, "feature_level": client.feature_level}
    out["profile"] = client.call_endpoint("users/me", "GET")
    streams = [{"name": "python", "description": "Where\nscripts talk"}]
    out["subscribed"] = client.add_subscriptions(streams)
    out["subscribed_again"] = client.add_subscriptions(iter_list(streams), authorization_errors_fatal=False)
    out["subscriptions"] = client.call_endpoint("users/me/subscriptions", "GET")
    out["streams"] = client.call_endpoint("streams", "GET", {"include_public": True})
    stream_id = next(s["stream_id"] for s in out["streams"]["streams"] if s["name"] == "python")
    out["registered_all"] = client.register()
    thread, events = collect(client, 9)
    out["sent"] = sends(client, peer)
    thread.join(30)
    out["is_waiting"] = thread.is_alive()
    out["events"] = events
    out["topics"] = client.call_endpoint(f"users/me/{stream_id}/topics", "GET")
    out["history"] = client.get_messages(
        {
            "anchor": 10000000000000000,
            "num_before": 3,
            "num_after": 0,
            "apply_markdown": False,
            "narrow": [{"operator": "stream", "operand": "python"}],
        }
    )
    out["first_unread"] = client.get_messages(
        {"anchor": 0, "use_first_unread_anchor": True, "num_before": 0, "num_after": 1, "narrow": [["is", "private"]]}
    )
    queue_id = out["registered_all"]["queue_id"]
    out["fetched"] = client.get_events(queue_id=queue_id, last_event_id=-1, dont_block=True)
    out["deregistered"] = client.deregister(queue_id)
    out["gone"] = client.get_events(queue_id=queue_id, last_event_id=-1)
    out["unknown_queue"] = client.get_events(queue_id="1234567890:1", last_event_id=-1)
    out["no_stream"] = client.send_message({"type": "stream", "to": "nowhere", "subject": "x", "content": "y"})
    out["no_content"] = client.send_message({"type": "stream", "to": "python", "subject": "x"})
    out["retries"] = client.retries + peer.retries
    stranger = Client(site, email, "x" * 32)
    out["wrong_key"] = stranger.call_endpoint("users/me", "GET")
    print(json.dumps(out))


def iter_list(values):
    return [dict(value) for value in values]


def follow(site, email, key):
    client = Client(site, email, key)

    def on_event(event):
        print(json.dumps(event), flush=True)
        return event.get("message", {}).get("content") == "done"

    client.call_on_each_event(on_event, ["message"])
    print(json.dumps({"type": "end", "retries": client.retries}), flush=True)


if __name__ == "__main__":
    {"tour": tour, "follow": follow}[sys.argv[1]](*sys.argv[2:])
