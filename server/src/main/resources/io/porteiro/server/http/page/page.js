// Shows /status.json and asks for it again every two seconds. All texts from the server, keys above
// all, are put in by textContent: they are data of strangers and never markup.
"use strict";

const INTERVAL_MS = 2000;
const TIMEOUT_MS = 8000;
const TYPING_MS = 250;
const CHART_POINTS = 120;
const CHART_HEIGHT = 40;
const LONG_KEY = 90;

const byId = (id) => document.getElementById(id);
const text = (id, value) => { byId(id).textContent = value; };

// ------------------------------------------------------------------ numbers for people

const whole = new Intl.NumberFormat("en");
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** 12,345, and from a hundred thousand on 123.5K. */
const count = (n) => (n < 100000 ? whole.format(n) : compact.format(n));

const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;

function bytes(n) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return `${unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
}

/** A rate as percent with two significant digits. */
function percent(rate) {
  if (rate <= 0) return "0 %";
  if (rate < 1e-6) return "< 0.0001 %";
  return `${Number((rate * 100).toPrecision(2)).toLocaleString("en", { maximumFractionDigits: 8 })} %`;
}

function duration(seconds) {
  const steps = [[86400, "day", "days"], [3600, "hour", "hours"], [60, "minute", "minutes"], [1, "second", "seconds"]];
  for (const [length, one, many] of steps) {
    if (seconds >= length) return plural(Math.floor(seconds / length), one, many);
  }
  return "no time";
}

const ago = (unixSeconds) => {
  const seconds = Date.now() / 1000 - unixSeconds;
  return seconds < 2 ? "just now" : `${duration(seconds)} ago`;
};

// ------------------------------------------------------------------ the cards

function showServer(server) {
  text("about", `Version ${server.version} · up for ${duration(server.uptimeSeconds)}`);
  state(server.ready ? "ready" : "waiting", server.ready ? "Ready" : "Not ready");
  obstacle(server.obstacle);
}

function state(name, words) {
  const pill = byId("state");
  if (pill.dataset.state !== name || pill.textContent !== words) {
    pill.dataset.state = name;
    pill.textContent = words;
  }
}

function obstacle(words) {
  const notice = byId("obstacle");
  if (notice.textContent !== words) notice.textContent = words;
  notice.hidden = words === "";
}

function showOperations(operations) {
  text("operations", count(operations.perSecond));
  text("operations-more", `${plural(operations.total, "command", "commands")} since the start`);
  drawChart(operations.history);
}

function drawChart(history) {
  const points = Array(Math.max(0, CHART_POINTS - history.length)).fill(0).concat(history).slice(-CHART_POINTS);
  const most = Math.max(...points);
  const y = (value) => (CHART_HEIGHT - (most === 0 ? 0 : (value / most) * CHART_HEIGHT)).toFixed(2);
  const line = points.map((value, x) => `${x === 0 ? "M" : "L"}${x} ${y(value)}`).join("");
  const chart = byId("chart");
  chart.querySelector(".line").setAttribute("d", line);
  chart.querySelector(".area").setAttribute("d", `${line}L${CHART_POINTS - 1} ${CHART_HEIGHT}L0 ${CHART_HEIGHT}Z`);
  chart.setAttribute("aria-label",
    `Operations a second over the last two minutes: ${count(points.at(-1))} now, ${count(most)} at most`);
  text("chart-most", most === 0 ? "" : `most ${count(most)}`);
}

function showCounts(status) {
  text("filter-count", count(status.filters.total));
  text("filter-more", `${plural(status.filters.items, "item", "items")} in ${bytes(status.filters.bytes)}`);
  text("hll-count", status.filters.complete ? count(status.hyperLogLogs.count) : "…");
  text("hll-more", status.filters.complete ? `${bytes(status.hyperLogLogs.bytes)} of memory` : "counting");
  text("clients", count(status.clients.connected));
  text("clients-more", `of ${count(status.clients.limit)} that may connect`);
}

function showMemory(memory) {
  const limit = memory.limitBytes > 0 ? memory.limitBytes : memory.machineBytes;
  const part = limit > 0 ? memory.usedBytes / limit : 0;
  text("memory", bytes(memory.usedBytes));
  text("memory-more", limit > 0
    ? `of ${bytes(limit)} (${memory.limitBytes > 0 ? "maxmemory" : "this machine"}), at most ${bytes(memory.peakBytes)} so far`
    : `at most ${bytes(memory.peakBytes)} so far`);
  fill(byId("memory-bar"), part, part >= 1 ? "over" : part >= 0.9 ? "high" : "");
}

function fill(bar, part, level) {
  bar.dataset.level = level;
  const shown = Math.min(1, part);
  bar.firstElementChild.style.width = `${(part > 0 ? Math.max(shown, 0.01) : 0) * 100}%`;
}

function showPersistence(now) {
  if (now.loading) {
    text("persistence", "Loading");
    text("persistence-more", `${Math.floor(now.loadedPercent)} % read`);
    return;
  }
  text("persistence", now.log ? logState(now) : snapshotState(now));
  text("persistence-more", now.log ? `${bytes(now.logBytes)} of log; ${snapshots(now)}` : snapshots(now));
}

function logState(now) {
  if (!now.logOk) return "The log cannot be written";
  if (now.rewriting) return "Rewriting the log";
  return now.logPolicy === "always" ? "Log synced at every write"
    : now.logPolicy === "everysec" ? "Log synced every second" : "Log synced by the system";
}

function snapshotState(now) {
  if (now.saving) return "Saving a snapshot";
  if (!now.lastSaveOk) return "The last snapshot failed";
  return now.snapshots ? "Snapshots" : "Nothing is saved by itself";
}

function snapshots(now) {
  const last = now.saves > 0 ? `last snapshot ${ago(now.lastSaveSeconds)}` : "no snapshot yet";
  return now.log ? last : `${last}, ${plural(now.changesSinceSave, "change", "changes")} since`;
}

// ------------------------------------------------------------------ the filters

/** The table's rows by database and key, so that what stays the same is not made anew. */
const rows = new Map();

function showFilters(filters, find) {
  const wanted = new Map(filters.rows.map((filter) => [`${filter.database} ${filter.name}`, filter]));
  for (const [id, row] of rows) {
    if (!wanted.has(id)) {
      row.remove();
      rows.delete(id);
    }
  }
  let before = null;
  for (const [id, filter] of wanted) {
    const row = rows.get(id) ?? newRow(id);
    showFilter(row, filter);
    const place = before === null ? byId("rows").firstElementChild : before.nextElementSibling;
    if (row !== place) byId("rows").insertBefore(row, place);
    before = row;
  }
  document.querySelector("table").hidden = wanted.size === 0;
  showShown(filters, find);
  showEmpty(filters, find);
}

function newRow(id) {
  const row = byId("row").content.firstElementChild.cloneNode(true);
  rows.set(id, row);
  return row;
}

function showFilter(row, filter) {
  const set = (selector, value) => { row.querySelector(selector).textContent = value; };
  const used = filter.capacity > 0 ? filter.items / filter.capacity : 0;
  const scales = filter.expansion > 0;
  const key = row.querySelector(".key bdi");
  key.textContent = filter.name === "" ? "(empty key)" : filter.name;
  key.title = filter.name;
  key.className = filter.name.length > LONG_KEY ? "long" : "";
  const tag = row.querySelector(".tag");
  tag.hidden = filter.database === 0;
  tag.textContent = `database ${filter.database}`;
  set(".items-text", `${count(filter.items)} of ${count(filter.capacity)}`);
  set(".percent", `${used > 0 && used < 0.01 ? "<1" : Math.floor(used * 100)} %`);
  const bar = row.querySelector(".bar");
  fill(bar, used, scales ? "" : used >= 1 ? "over" : used >= 0.9 ? "high" : "");
  bar.setAttribute("aria-valuenow", String(Math.min(100, Math.floor(used * 100))));
  bar.setAttribute("aria-label", `Items of capacity: ${count(filter.items)} of ${count(filter.capacity)}`);
  const now = row.querySelector(".now");
  now.textContent = `${percent(filter.errorRate)} now`;
  now.dataset.level = filter.errorRate > filter.promisedErrorRate * 1.2 ? "over" : "";
  set(".promised", `at most ${percent(filter.promisedErrorRate)}`);
  const [growth, more] = row.querySelectorAll(".growth p");
  growth.textContent = plural(filter.subFilters, "sub-filter", "sub-filters");
  more.textContent = scales ? (filter.expansion === 1 ? "next one as large" : `next one ×${filter.expansion}`) : "fixed size";
  set(".memory", bytes(filter.bytes));
}

function showShown(filters, find) {
  const shown = filters.rows.length;
  const words = !filters.complete ? "Looking for filters…"
    : shown < filters.matching ? `The ${count(shown)} largest of ${count(filters.matching)}${find ? " that match" : ""}`
    : find ? `${plural(shown, "filter matches", "filters match")}` : plural(shown, "filter", "filters");
  if (byId("shown").textContent !== words) text("shown", words);
}

function showEmpty(filters, find) {
  const none = filters.complete && filters.rows.length === 0;
  byId("empty").hidden = !none;
  byId("empty-example").hidden = find !== "";
  text("empty-title", find ? "No filter matches" : "No filters yet");
  text("empty-hint", find ? "Keys are compared letter by letter, upper and lower case apart." : "Make one with any Redis client:");
}

// ------------------------------------------------------------------ asking

let find = "";
let paused = false;
let timer = 0;
let asking = null;

async function ask() {
  clearTimeout(timer);
  asking?.abort();
  const mine = asking = new AbortController();
  const timeout = setTimeout(() => mine.abort("timeout"), TIMEOUT_MS);
  const about = find;
  try {
    const response = await fetch(`status.json?find=${encodeURIComponent(about)}`, { signal: mine.signal, cache: "no-store" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    show(await response.json(), about);
  } catch (error) {
    if (mine === asking) lost();
  } finally {
    clearTimeout(timeout);
    if (mine === asking) again();
  }
}

function show(status, about) {
  showServer(status.server);
  showOperations(status.operations);
  showCounts(status);
  showMemory(status.memory);
  showPersistence(status.persistence);
  showFilters(status.filters, about);
}

function lost() {
  state("lost", "No connection");
  obstacle("The server does not answer. What you see is from before; asking again every two seconds.");
}

function again() {
  if (!paused && !document.hidden) timer = setTimeout(ask, INTERVAL_MS);
}

byId("pause").addEventListener("click", () => {
  paused = !paused;
  byId("pause").setAttribute("aria-pressed", String(paused));
  byId("pause").textContent = paused ? "Go on" : "Pause";
  if (paused) clearTimeout(timer);
  else ask();
});

byId("find").addEventListener("input", () => {
  find = byId("find").value.trim();
  clearTimeout(timer);
  timer = setTimeout(ask, TYPING_MS);
});

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !paused) ask();
});

ask();
