// A page opened from a disk may not start a worker. This one runs the worker's script in a hidden
// frame instead, so that the search of these pages works without a server and without a network.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      this.ready = new Promise(ready => {
        inside.document.open();
        inside.document.write("<!doctype html><title>search</title><body></body>");
        inside.document.close();
        inside.postMessage = data => this.tell(data);
        inside.importScripts = (...names) => names.reduce(
          (before, name) => before.then(() => this.load(inside, new URL(name, address).href)),
          Promise.resolve());
        this.load(inside, address).then(ready);
      });
      this.inside = inside;
      this.frame = frame;
    }
    load(inside, address) {
      return new Promise((loaded, failed) => {
        const script = inside.document.createElement("script");
        script.src = address;
        script.onload = loaded;
        script.onerror = failed;
        inside.document.body.append(script);
      });
    }
    tell(data) {
      const event = new MessageEvent("message", { data });
      this.dispatchEvent(event);
      if (this.onmessage) this.onmessage(event);
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
