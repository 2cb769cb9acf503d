"""Controls a headless Chromium over its DevTools socket, with only Python's standard library."""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-port=0", "--window-size=1280,900")


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Socket:
    """RFC 6455, as far as DevTools needs it: masked text out, whole messages in."""

    def __init__(self, url):
        host, path = url.removeprefix("ws://").split("/", 1)
        name, port = host.split(":")
        self.stream = socket.create_connection((name, int(port)), timeout=240)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.stream.recv(1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise OSError(head.decode())

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else (
            struct.pack("!BBH", 0x81, 0x80 | 126, size) if size < 65536 else struct.pack("!BBQ", 0x81, 0x80 | 127, size))
        self.stream.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def exactly(self, count):
        data = bytearray()
        while len(data) < count:
            more = self.stream.recv(count - len(data))
            if not more:
                raise OSError("the browser closed the connection")
            data += more
        return bytes(data)

    def receive(self):
        message = b""
        while True:
            first, second = self.exactly(2)
            size = second & 0x7F
            if size == 126:
                size, = struct.unpack("!H", self.exactly(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.exactly(8))
            part = self.exactly(size)
            if first & 0x0F in (0, 1):
                message += part
                if first & 0x80:
                    return message.decode()


class Browser:
    def __init__(self, program):
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        chosen = pathlib.Path(self.folder) / "DevToolsActivePort"
        deadline = time.monotonic() + 240
        while not (chosen.exists() and chosen.read_text().count("\n") >= 1):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise OSError("the browser did not start")
            time.sleep(0.05)
        port = chosen.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=240) as answer:
            target = next(entry for entry in json.load(answer) if entry["type"] == "page")
        self.socket = Socket(target["webSocketDebuggerUrl"])
        self.number = 0
        self.events = []
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(self.socket.receive()))
        self.settle()

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Waits two frames, so that requested changes are drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, key, code=None, text=None, modifiers=0):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                 "ArrowDown": 40}
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            more = {"text": text} if kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                      windowsVirtualKeyCode=codes.get(key, 0), **more)

    def mouse(self, kind, x, y, modifiers=0, clicks=1, **more):
        if kind in ("mousePressed", "mouseReleased"):
            more.update(button="left", clickCount=clicks)
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=modifiers, **more)

    def click(self, x, y, modifiers=0, clicks=1):
        self.mouse("mouseMoved", x, y, modifiers)
        for count in range(1, clicks + 1):
            self.mouse("mousePressed", x, y, modifiers, count)
            self.mouse("mouseReleased", x, y, modifiers, count)

    def drag(self, x, y, to_x, to_y, modifiers=0):
        self.mouse("mouseMoved", x, y, modifiers)
        self.mouse("mousePressed", x, y, modifiers)
        for step in (0.3, 0.7, 1.0):
            self.mouse("mouseMoved", x + step * (to_x - x), y + step * (to_y - y), modifiers, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, modifiers)

    def downloads(self, folder):
        """Sets the folder for the page's downloads."""
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def saved(self, path):
        """The bytes of a file that the page saves."""
        deadline = time.monotonic() + 60
        while not path.exists() or path.stat().st_size == 0:
            if time.monotonic() > deadline:
                raise OSError(f"{path} was not saved")
            time.sleep(0.05)
        return path.read_bytes()

    def picture(self, path):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 9000), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def complaints(self):
        """Exceptions, errors and warnings of the console, and requests for anything except the file itself."""
        found = []
        for event in self.events:
            about = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                found.append(about["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif event["method"] == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
                found.append(str(about["args"]))
            elif event["method"] == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
                found.append(about["entry"]["text"])
            elif event["method"] == "Network.requestWillBeSent":
                url = about["request"]["url"]
                if not url.startswith(("file:", "data:", "about:", "blob:")):
                    found.append("fetches " + url)
        return found

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=30)
        shutil.rmtree(self.folder, ignore_errors=True)
