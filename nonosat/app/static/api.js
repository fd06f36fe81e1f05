// Talking to the server: JSON both ways. An answer that is an error is thrown, with its one line and its status.

async function answered(response) {
  const data = await response.json().catch(() => ({ error: `the server said ${response.status}` }));
  if (!response.ok) {
    throw Object.assign(new Error(data.error), { status: response.status, data });
  }
  return data;
}

async function asked(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw Object.assign(new Error("the server does not answer: is `nonosat app` still running?"), {
      status: 0,
      data: {},
    });
  }
  return answered(response);
}

export function get(path) {
  return asked(path, {});
}

/** `options.keepalive`: the request outlives the page that sends it (64 kB at most, says the browser). */
export function post(path, body = {}, options = {}) {
  const headers = { "content-type": "application/json" };
  return asked(path, { method: "POST", headers, body: JSON.stringify(body), ...options });
}

/** Server-sent events: `onEvent(data, type)` for each, a function that ends the stream is returned. */
export function events(path, onEvent, types = ["message"], onError = () => {}) {
  const source = new EventSource(path);
  for (const type of types) {
    source.addEventListener(type, (event) => onEvent(JSON.parse(event.data), type));
  }
  source.onerror = () => onError(source);
  return () => source.close();
}

/** What a job says, `onEvent(data)` for each. `done` resolves at its end; `stop()` ends the job. */
export function stream(path, body, onEvent) {
  const ending = new AbortController();
  const options = { method: "POST", headers: { "content-type": "application/json" }, signal: ending.signal };
  const heard = async () => {
    const response = await fetch(path, { ...options, body: JSON.stringify(body) });
    if (!response.ok) {
      await answered(response);
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const events = (rest + part.value).split("\n\n");
      rest = events.pop();
      events.forEach((event) => onEvent(JSON.parse(event.slice("data: ".length))));
    }
  };
  const done = heard().catch((error) => {
    if (error.name !== "AbortError") {
      throw error;
    }
  });
  return { done, stop: () => ending.abort() };
}
