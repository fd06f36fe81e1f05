// Talking to the server: JSON both ways. An answer that is an error is thrown, with its one line and its status.

import { notice } from "./dom.js";

export const part = encodeURIComponent;

/** Callbacks for when the server does not answer (status 0), or does not know this browser (403). */
export const lost = new Set();

function failed(status, data) {
  const error = Object.assign(new Error(data.error), { status, data });
  if (status === 0 || status === 403) lost.forEach((callback) => callback(error));
  return error;
}

/** The connection broke, before the answer or within it. */
function broken(error) {
  if (error.name === "AbortError") throw error;
  throw failed(0, { error: "the server does not answer: is `nonosat app` still running?" });
}

/** A module that is loaded when it is wanted, by its address from this folder. */
export const module = (path) =>
  import(path).catch((error) => {
    if (error.name === "TypeError") broken(error); // so browsers call what did not come
    throw error;
  });

async function asked(path, options) {
  const response = await fetch(path, options).catch(broken);
  if (!response.ok) {
    throw failed(response.status, await response.json().catch(() => ({ error: `the server answered ${response.status}` })));
  }
  return response;
}

/** `body`: what becomes JSON, or its text. */
function posted(path, body, more) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return asked(path, { method: "POST", headers: { "content-type": "application/json" }, body: text, ...more });
}

export const get = async (path) => (await asked(path)).json().catch(broken);

/** `more.keepalive`: the request outlives the page that sends it (64 kB at most, says the browser). */
export const post = async (path, body = {}, more = {}) => (await posted(path, body, more)).json().catch(broken);

/** The events of a job, given to `handlers[type]` or `handlers.any`; an error without a handler is shown as a notice. */
export async function stream(path, body, handlers, signal) {
  const take = (event) => (handlers[event.type] ?? handlers.any ?? (({ error }) => error && notice(error)))(event);
  try {
    const response = await posted(path, body, { signal });
    let rest = "";
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const events = (rest + text).split("\n\n");
      rest = events.pop();
      events.forEach((event) => take(JSON.parse(event.slice("data: ".length))));
    }
  } catch (error) {
    if (error.name !== "AbortError") take({ type: "failed", error: error.message });
  }
}
