// Talking to the server: JSON both ways. An answer that is an error is thrown, with its one line and its status.

/** A name as a part of a path. */
export const part = encodeURIComponent;

async function asked(path, options) {
  const response = await fetch(path, options).catch((error) => {
    if (error.name === "AbortError") throw error;
    const told = "the server does not answer: is `nonosat app` still running?";
    throw Object.assign(new Error(told), { status: 0, data: {} });
  });
  if (!response.ok) {
    const data = await response.json().catch(() => ({ error: `the server said ${response.status}` }));
    throw Object.assign(new Error(data.error), { status: response.status, data });
  }
  return response;
}

const posted = (body, more) => {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), ...more };
};

export const get = async (path) => (await asked(path, {})).json();

/** `more.keepalive`: the request outlives the page that sends it (64 kB at most, says the browser). */
export const post = async (path, body = {}, more = {}) => (await asked(path, posted(body, more))).json();

/** What a job says, `onEvent(data)` for each. `done` resolves at its end; `stop()` ends the job. */
export function stream(path, body, onEvent) {
  const ending = new AbortController();
  const heard = async () => {
    const response = await asked(path, posted(body, { signal: ending.signal }));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let some = await reader.read(); !some.done; some = await reader.read()) {
      const events = (rest + some.value).split("\n\n");
      rest = events.pop();
      events.forEach((event) => onEvent(JSON.parse(event.slice("data: ".length))));
    }
  };
  const done = heard().catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  return { done, stop: () => ending.abort() };
}
