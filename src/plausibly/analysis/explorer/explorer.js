"use strict";
// The page filters, sorts, counts and draws. Every other number comes from Python.
(async () => {
const PHONE = matchMedia("(max-width: 52rem)"), BINS = 8, MOST_VALUES = 30, MOST_ANSWERS = 12, LISTED = 100;
const KINDS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };
const { isFinite } = Number;
const SHOWN = ["text", "source_sentence", "source_document"], NUMBERS = ["ratings", "mean", "deviation", "entropy"];

async function unpacked() {
  const text = atob(document.getElementById("data").textContent.trim());
  const bytes = Uint8Array.from(text, (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const buffer = await new Response(stream).arrayBuffer();
  const size = new DataView(buffer).getUint32(0, true);
  const bare = (_, one) => Object(one) === one && !Array.isArray(one) ? { __proto__: null, ...one } : one; // inherits nothing
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)), bare);
  const at = (name) => {
    const place = head.arrays[name];
    return place && new KINDS[place[0]](buffer, 8 + size + place[1], place[2]);
  };
  return { head, at };
}

// elements: texts only ever become text nodes
function el(tag, settings, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(settings || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((one) => one !== null && one !== undefined));
  return made;
}
function svg(tag, settings, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(settings)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}
const [para, h1, h2, term, told, dl, summary] = ["p", "h1", "h2", "dt", "dd", "dl", "summary"].map((tag) => (...parts) => el(tag, {}, ...parts));
const plain = (text) => el("bdi", { dir: "auto" }, text); // what it turns round stays in it
const joined = (parts) => parts.flatMap((one, at) => at ? [" · ", plain(one)] : [plain(one)]);

let data;
try { data = await unpacked(); } catch (error) {
  document.body.append(para("The data of this page cannot be read: the browser is too old or the file is damaged. / I dati non si possono leggere: il browser è troppo vecchio o il file è danneggiato."));
  throw error;
}
const { head, at } = data;

// words and numbers
const LANGUAGES = Object.keys(head.words);
let language = (navigator.language || "").startsWith("it") ? "it" : "en";
const w = (key, values) => {
  const text = head.words[language][key] || key;
  return values ? text.replace(/\{(\w+)\}/g, (_, name) => values[name]) : text;
};
const phrase = (key, values) => w(key).split(/\{(\w+)\}/).map((part, at) => at % 2 ? values[part] : part); // parts may be elements
const formats = {}; // one per language and number of digits: making one is slow
const number = (value, most = 2, least = 0) => isFinite(value)
  ? (formats[[language, most, least]] ||= new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most })).format(value) : "–";
const fixed = (value, digits = 2) => number(value, digits, digits);
const percent = (value) => isFinite(value) ? `${number(100 * value, 0)}\u00a0%` : "–";
const OURS = ["item", "question", "condition", "annotator", "set_aside", "alike", "follows", "seconds", "kind", "models_wrong", "source_sentence", "source_document", ...NUMBERS];
const title = (name) => { // columns of the items keep their names
  const [first, ...rest] = name.split(":");
  return rest.length ? `${w(first)}: ${rest.join(":")}` : OURS.includes(name) ? w(name) : capital(name.replaceAll("_", " "));
};
const off = (...parts) => el("span", { class: "off" }, ...parts);
const worded = ({ kind }) => kind === "text";
const capital = (name) => name.slice(0, 1).toUpperCase() + name.slice(1);

// columns
function columns(list, prefix) {
  const made = { __proto__: null };
  for (const one of list) made[one.name] = { ...one, array: at(`${prefix}:${one.name}`) };
  return made;
}
const rows = columns(head.columns, "row");
const ofQuestion = rows.question.array, called = (question) => rows.question.values[question - 1];
const people = head.people ? columns(head.people.columns, "person") : null;
const text = (column, row) => {
  const code = column ? column.array[row] : 0;
  return code ? column.values[code - 1] : null;
};
const idOf = (row) => text(rows.item, row), askedAt = (row) => text(rows.question, row);
const cell = (column, row) => worded(column) ? text(column, row) : column.array[row];
const group = (prefix, ...names) => Object.fromEntries(names.map((one) => [one, at(`${prefix}:${one}`)]));
const cells = group("cells", "start", "answer", "count", "others");
const ratings = head.people && group("ratings", "start", "person", "answer", "reason");
const questions = head.questions.map((one) => one.question);
const form = Object.fromEntries(head.questions.map((one) => [one.question, one]));
const codes = new Map(rows.question.values.map((name, at) => [name, at + 1]));
const label = (value, column, question) => (head.named[question] || []).includes(column) && (head.labelNames[value] ?? value) !== value ? `${head.labelNames[value]} (${value})` : value;
const methodsAt = (row) => head.methodsOf[askedAt(row)] || [];
const unlabelled = (row, method) => w(!rows.ratings.array[row] ? "unrated" : isFinite(rows[`support:${method}`].array[row]) ? "undecided" : "no label");
const labelAt = (method, row) => {
  const column = rows[`label:${method}`];
  const value = cell(column, row);
  if (worded(column)) return value === null ? unlabelled(row, method) : label(value, column.name, askedAt(row));
  const { rescaled } = form[askedAt(row)] || {};
  return isFinite(value) ? fixed(value) + (rescaled ? ` (${rescaled.join("–")})` : "") : unlabelled(row, method);
};
const undecided = (row) => { // whether people are undecided by the first method
  const [method] = methodsAt(row), column = rows[`label:${method}`];
  return column && worded(column) && !column.array[row] && unlabelled(row, method) === w("undecided");
};
const noLabel = (name, question) => new Intl.ListFormat(language, { type: "disjunction" }).format(new Set(ordered(codes.get(question)).filter((row) => !rows[name].array[row]).map((row) => unlabelled(row, name.slice(6)))));
const isLabel = (name) => /^(label|predicted):/.test(name);
const spell = (name, value, question) => isLabel(name) ? (value !== null ? label(value, name, question) : name.startsWith("predicted") ? w("notAsked") : noLabel(name, question))
  : name.startsWith("verdict:") ? (value === null ? w("notAsked") : w(value)) : value === null ? w("none") : value;
const heading = (row) => text(rows.text, row) || idOf(row);
const byKey = new Map();
ofQuestion.forEach((one, row) => byKey.set(`${one}\n${idOf(row)}`, row));
const byPerson = new Map();
if (people) for (let one = 0; one < head.people.height; one++) byPerson.set(text(people.annotator, one), one);

// answers of one row
function counted(row) {
  const list = [];
  for (let one = cells.start[row]; one < cells.start[row + 1]; one++) list.push([cells.answer[one], cells.count[one]]);
  return list;
}
const scales = new Map();
function scale(question) { // what the answers of a question are drawn by: each of them, or bins
  if (scales.has(question)) return scales.get(question);
  const sorted = [...new Set(ordered(question).flatMap((row) => counted(row).map(([code]) => code)))].sort((one, other) => one - other);
  const values = sorted.map((code) => head.answers[code][1]);
  let made;
  if (sorted.length > MOST_ANSWERS && values.every((value) => value !== null)) {
    const low = Math.min(...values), step = (Math.max(...values) - low) / 10 || 1;
    const place = new Map(sorted.map((code, one) => [code, Math.min(9, Math.floor((values[one] - low) / step))]));
    made = { names: [...Array(10).keys()].map((bin) => `${number(low + bin * step)}–${number(low + (bin + 1) * step)}`), place };
  } else {
    const name = called(question), { options = [] } = form[name] || {}, shown = [...new Set([...options, ...sorted.map((code) => head.answers[code][0])])];
    const down = options[0] - options[1] > 0 ? options.filter((one) => isFinite(+one)).length : 0;
    made = { names: shown.map((one) => spelled(name, one)), place: new Map(sorted.map((code) => [code, shown.indexOf(head.answers[code][0])])), offered: options.length, down };
  }
  scales.set(question, made);
  return made;
}
function distribution(row) {
  const { names, place, offered, down } = scale(ofQuestion[row]);
  const counts = names.map(() => 0);
  for (const [code, count] of counted(row)) counts[place.get(code)] += count;
  const given = (_, one) => one < offered || names.length <= MOST_ANSWERS || counts[one]; // of many, those of this row
  return { names: names.filter(given), counts: counts.filter(given), down };
}
function sparkline(row) {
  const { counts, down } = distribution(row), top = Math.max(1, ...counts), step = 88 / Math.max(1, counts.length);
  counts.unshift(...counts.splice(0, down).reverse()); // from least to most
  const bars = counts.map((count, one) => svg("rect", { x: one * step + 1, width: Math.max(1, step - 2), y: 36 - 34 * count / top, height: 34 * count / top }));
  return svg("svg", { viewBox: "0 0 88 38", "aria-hidden": "true" }, ...bars, svg("line", { x1: 0, x2: 88, y1: 36.5, y2: 36.5 }));
}

// addresses
const decoded = (part) => { try { return decodeURIComponent(part); } catch { return part; } };
function address() {
  const [path, query] = location.hash.slice(1).split("?");
  const [view, ...rest] = (path || "items").split("/");
  return { view, id: decoded(rest.join("/")), query: new URLSearchParams(query) };
}
const to = (view, id, query) => {
  const tail = query?.toString();
  return `#${view}${id === undefined || id === null ? "" : `/${encodeURIComponent(id)}`}${tail ? `?${tail}` : ""}`;
};
const asked = (query) => codes.get(query.get("question")) || codes.get(questions[0]) || 1;
const spelled = (question, answer) => form[question]?.words?.[answer] ?? answer; // with what people read for it
const wording = (question) => { // what people were asked, where the form is known
  const name = called(question), { text: asks, options = [], bounds = [], note } = form[name] || {};
  const [low, high] = bounds.map((one) => plain(spelled(name, String(one))));
  const answers = low ? phrase("scaleFrom", { low, high }) : options.length ? phrase("choices", { list: joined(options.map((one) => spelled(name, one))) }).flat() : null;
  return asks ? el("div", { class: "asked" }, para(`${w("askedThem")} `, el("strong", {}, plain(asks)), answers ? [" ", ...answers] : null), note ? el("p", { class: "off" }, plain(note)) : null) : null;
};
const amounts = (question) => { // how many ratings there are, and from whom
  const { collected, kept, people: persons } = form[called(question)] || {};
  return w(!collected ? "notPart" : !persons ? "unlinked" : kept < collected ? "someKept" : "everyKept", { all: number(collected), n: number(kept), people: number(persons) });
};

// filters
const bounds = (value) => {
  const parts = /^(-?[\d.eE+-]+?)\.\.(<?)(-?[\d.eE+-]+)$/.exec(value);
  return parts && { low: Number(parts[1]), high: Number(parts[3]), open: parts[2] === "<" };
};
const within = (value, one) => value >= one.low && (one.open ? value < one.high : value <= one.high);
function facets(question) {
  const made = [], all = ordered(question), { options = [] } = form[called(question)] || {};
  const weight = (name) => name === "condition" ? 0 : name.startsWith("label:") ? 1 : NUMBERS.includes(name) ? 2 : name === "models_wrong" ? 3 : name.startsWith("verdict:") ? 4 : name.includes(":") ? 6 : 5;
  for (const column of Object.values(rows).sort((one, other) => weight(one.name) - weight(other.name))) {
    if (["item", "question", ...SHOWN].includes(column.name)) continue;
    if (worded(column)) {
      const seen = new Set(all.map((row) => column.array[row]));
      const most = weight(column.name) < 5 ? MOST_VALUES : Math.min(MOST_VALUES, all.length / 2); // nearly every item has its own
      if (seen.size > 1 && seen.size <= most) {
        const values = [...seen].sort((one, other) => (one || Infinity) - (other || Infinity)).map((code) => code ? column.values[code - 1] : "");
        const place = (label) => options.indexOf(label) + 1 || 99; // as the form has them
        if (column.name.startsWith("label:")) values.sort((one, other) => place(one) - place(other));
        made.push({ column, values });
      }
    } else { // every axis of the figure has one, which shows what a box keeps
      let low = Infinity, high = -Infinity;
      for (const value of all.map((row) => column.array[row]).filter(isFinite)) { low = Math.min(low, value); high = Math.max(high, value); }
      if (low < high) made.push({ column, values: bins(low, high, column.kind === "whole") });
    }
  }
  return made;
}
const round = (raw) => { const power = 10 ** Math.floor(Math.log10(raw)); return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= raw); };
function ticks({ low, high }, most) {
  const step = round((high - low) / most), made = [];
  for (let place = Math.ceil(low / step); place * step <= high; place++) made.push(Number((place * step).toPrecision(12)));
  return made;
}
function bins(low, high, whole) {
  let step = round((high - low) / BINS);
  if (whole) step = Math.max(1, Math.round(step));
  const made = [], first = Math.floor(low / step);
  const edge = (place) => Number((place * step).toPrecision(12));
  for (let place = first; edge(place) <= high; place++) made.push(`${edge(place)}..<${edge(place + 1)}`);
  if (!whole && made.length > 1 && bounds(made.at(-1)).low === high) { // the upper end joins the last bin
    made.pop();
    made.push(made.pop().replace("<", ""));
  }
  return made;
}
function filters(query) { // one test for each filtered column
  const tests = [];
  for (const name of new Set(query.keys())) {
    const column = rows[name];
    if (!column || name === "question") continue;
    const values = query.getAll(name);
    if (worded(column)) {
      const codes = new Set(values.map((one) => one === "" ? 0 : column.values.indexOf(one) + 1 || -1));
      tests.push({ name, test: (row) => codes.has(column.array[row]) });
    } else {
      const ranges = values.map(bounds).filter(Boolean);
      tests.push({ name, test: (row) => ranges.some((one) => within(column.array[row], one)) });
    }
  }
  const sought = (query.get("q") || "").toLowerCase();
  if (sought) tests.push({ name: "q", test: (row) => found(row).includes(sought) });
  return tests;
}
const haystack = [];
const found = (row) => haystack[row] ||= [idOf(row), text(rows.text, row)].filter((one) => one !== null).join(" ").toLowerCase();
const orders = new Map();
function ordered(question, key) { // all rows of a question, sorted once
  const name = `${question}\n${key}`;
  if (!orders.has(name)) {
    const all = [];
    ofQuestion.forEach((one, row) => { if (one === question) all.push(row); });
    orders.set(name, sorted(all, key, rows));
  }
  return orders.get(name);
}
function chosen(query, wanted) { // filtered and sorted rows; counts of a facet ignore that facet
  const question = asked(query), tests = filters(query), list = [];
  const tallies = (wanted || []).map(({ column, values }) => {
    const isText = worded(column);
    const place = isText ? new Map(values.map((one, at) => [one === "" ? 0 : column.values.indexOf(one) + 1, at])) : values.map(bounds);
    return { column, isText, place, counts: values.map(() => 0) };
  });
  for (const row of ordered(question, query.get("sort"))) {
    let failed = null, fails = 0;
    for (const one of tests) if (!one.test(row)) { fails++; failed = one.name; if (fails > 1) break; }
    if (fails > 1) continue;
    if (!fails) list.push(row);
    for (const one of tallies) {
      if (fails && failed !== one.column.name) continue;
      const value = one.column.array[row];
      const at = one.isText ? one.place.get(value) : one.place.findIndex((range) => within(value, range));
      if (at >= 0) one.counts[at]++;
    }
  }
  return { list, counts: tallies.map((one) => one.counts) };
}
function sorted(list, key, table) {
  const down = (key || "").startsWith("-"), column = table[(key || "").replace(/^-/, "")];
  if (!column) return list;
  const isText = worded(column);
  const missing = (value) => isText ? value === 0 : Number.isNaN(value);
  return list.sort((one, other) => {
    const a = column.array[one], b = column.array[other];
    if (missing(a) || missing(b)) return missing(a) - missing(b) || one - other;
    return (down ? b - a : a - b) || one - other;
  });
}

// what leaves the page
const quoted = (value) => /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
const harmless = (value) => /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
function csv(list) {
  const shown = Object.values(rows);
  const lines = [shown.map((one) => quoted(harmless(one.name))).join(",")];
  for (const row of list) lines.push(shown.map((one) => {
    const value = cell(one, row);
    if (worded(one)) return value === null ? "" : quoted(harmless(value));
    return Number.isNaN(value) ? "" : String(value);
  }).join(","));
  return lines.join("\n") + "\n";
}
function python(query) {
  const tests = [];
  const literal = JSON.stringify;
  if (questions.length > 1) tests.push(`pl.col("question") == ${literal(called(asked(query)))}`);
  for (const name of new Set(query.keys())) {
    const column = rows[name];
    if (!column || name === "question") continue;
    const values = query.getAll(name), place = `pl.col(${literal(name)})`;
    if (worded(column)) {
      const named = values.filter(Boolean), parts = [];
      if (named.length) parts.push(`${place}.is_in(${literal(named)})`);
      if (named.length < values.length) parts.push(`${place}.is_null()`);
      tests.push(parts.join(" | "));
    } else tests.push(values.map(bounds).filter(Boolean).map((one) => `${place}.is_between(${one.low}, ${one.high}, closed="${one.open ? "left" : "both"}")`).join(" | ") || "False");
  }
  const sought = (query.get("q") || "").toLowerCase();
  if (sought) tests.push(`pl.concat_str("item", "text", separator=" ", ignore_nulls=True).str.to_lowercase().str.contains(${literal(sought)}, literal=True)`);
  const key = query.get("sort") || "", column = key.replace(/^-/, "");
  const order = rows[column] ? `.sort(${literal(column)}, descending=${key.startsWith("-") ? "True" : "False"}, nulls_last=True, maintain_order=True)` : "";
  return `pb.browse(${head.source}).rows${tests.length ? `.filter(${tests.join(", ")})` : ""}${order}`;
}
function save(name, content) {
  const link = el("a", { href: URL.createObjectURL(new Blob([content], { type: "text/csv" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// parts of pages
function virtual(list, draw, name) { // only the rows in view are in the page
  const ROW = PHONE.matches ? 104 : LONG ? 88 : 64; // as in the style
  const inner = el("ol", { class: "rows" });
  const outer = el("div", { class: LONG ? "scroll tall" : "scroll", role: "region", "aria-label": name, tabindex: 0 }, inner);
  let from = -1, to = -1;
  const paint = (force) => {
    const first = Math.max(0, Math.floor(outer.scrollTop / ROW) - 4);
    const last = Math.min(list.length, first + Math.ceil((outer.clientHeight || 800) / ROW) + 8);
    if (!force && first === from && last === to) return;
    const focused = inner.contains(document.activeElement) ? Number(document.activeElement.dataset.at) : null;
    [from, to] = [first, last];
    inner.replaceChildren(...list.slice(first, last).map((one, offset) => {
      const place = first + offset, link = draw(one);
      link.dataset.at = place;
      const line = el("li", { "aria-setsize": list.length, "aria-posinset": place + 1 }, link);
      line.style.top = `${place * ROW}px`;
      return line;
    }));
    if (focused !== null) inner.querySelector(`[data-at="${focused}"]`)?.focus({ preventScroll: true });
  };
  const focus = (place) => {
    const target = Math.min(list.length - 1, Math.max(0, place));
    const top = target * ROW;
    if (top < outer.scrollTop) outer.scrollTop = top;
    if (top + ROW > outer.scrollTop + outer.clientHeight) outer.scrollTop = top + ROW - outer.clientHeight;
    paint();
    inner.querySelector(`[data-at="${target}"]`)?.focus({ preventScroll: true });
  };
  outer.addEventListener("scroll", () => paint());
  outer.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || !list.length) return;
    event.preventDefault();
    const here = document.activeElement.dataset?.at;
    focus(here === undefined ? (step > 0 ? 0 : list.length - 1) : Number(here) + step);
  });
  addEventListener("resize", () => paint(true));
  return { outer, fill: (fresh) => { list = fresh; inner.style.height = `${list.length * ROW}px`; outer.scrollTop = 0; paint(true); } };
}
function table(name, headings, lines, numeric) {
  const right = (at) => numeric.includes(at) ? "n" : null;
  return el("div", { class: "wrap", tabindex: 0, role: "region", "aria-label": name }, el("table", {},
    el("thead", {}, el("tr", {}, headings.map((one, at) => el("th", { scope: "col", class: right(at) }, one)))),
    el("tbody", {}, lines.map((line) => el("tr", {}, line.map((one, at) => el("td", { class: right(at) }, one)))))));
}
const RATED = rows.ratings.array.some(Boolean), LONG = (rows.text.values || []).some((one) => one.length > 70);
const asksAbout = (model, question) => filled(rows[`predicted:${model}`], question) || filled(rows[`score:${model}`], question);
function entry(row, query) {
  const [first] = methodsAt(row);
  const mean = rows.mean.array[row], several = Object.values(head.methodsOf).some((one) => one.length > 1);
  const named = first && (rows[`label:${first}`].kind === "text" || Number.isNaN(mean)); // else the label is the mean
  const meta = joined([named && `${several ? first : w("label")}: ${labelAt(first, row)}`, text(rows.condition, row)].filter(Boolean));
  const support = first ? rows[`support:${first}`].array[row] : NaN;
  const amount = isFinite(mean) ? `${w("mean")} ${fixed(mean)}` : isFinite(support) ? `${w("support")} ${percent(support)}` : "";
  return el("a", { class: RATED ? null : "whole", href: to("item", idOf(row), query) },
    el("span", { class: "main" }, plain(heading(row))), el("span", { class: "meta" }, meta),
    RATED ? el("span", { class: "numbers" }, amount, el("br"), `n = ${number(rows.ratings.array[row])}`) : null, RATED ? sparkline(row) : null);
}
function picker(name, options, value, change) {
  return el("label", {}, name, el("select", { onchange: (event) => change(event.target.value) },
    options.map(([key, shown]) => el("option", { value: key, selected: key === value }, shown))));
}

const bothWays = ({ name }) => [[name, `${title(name)}, ${w("ascending")}`], [`-${name}`, `${title(name)}, ${w("descending")}`]];

// views
const go = (query) => { history.replaceState(null, "", to("items", null, query)); show(true); };
function facet({ column, values }, question, isOpen) { // made once; then counts and ticks change
  const line = (value) => {
    const range = bounds(value), bar = el("b", { class: column.name.startsWith("label:") && value === "" ? "open" : null }), amount = el("i", {});
    const last = range && (column.kind === "whole" && range.open ? range.high - 1 : range.high); // whole numbers end before the next bin
    const shown = worded(column) ? spell(column.name, value || null, called(question)) : range.low === last ? number(last) : `${number(range.low)} – ${number(last)}`;
    const box = el("input", { type: "checkbox", onchange: (event) => {
      const next = address().query, others = next.getAll(column.name).filter((each) => each !== value);
      next.delete(column.name);
      for (const each of event.target.checked ? [...others, value] : others) next.append(column.name, each);
      go(next);
    } });
    return { value, bar, amount, box, line: el("label", { class: "facet" }, box, plain(shown), amount, bar) };
  };
  const lines = values.map(line), boxes = el("div", { class: "boxes" }, lines.map((one) => one.line));
  let drawn = []; // ranges of the figure or the address
  const outer = el("details", { open: isOpen }, summary(title(column.name)), boxes);
  const fill = (counts, ticked) => {
    const top = Math.max(1, ...counts);
    for (const one of drawn) one.line.remove();
    drawn = ticked.filter((one) => !values.includes(one) && (worded(column) || bounds(one))).map(line);
    for (const one of drawn) one.box.checked = true;
    boxes.prepend(...drawn.map((one) => one.line));
    if (ticked.length) outer.open = true;
    lines.forEach((one, at) => {
      one.amount.textContent = number(counts[at]);
      one.bar.style.width = `${100 * counts[at] / top}%`;
      one.bar.style.visibility = counts[at] ? "" : "hidden";
      one.box.checked = ticked.includes(one.value);
    });
  };
  return { outer, fill, name: column.name };
}
const TITLE = new Map(head.about).get("title");
let open = null; // the view of items, kept while only its filters change
function itemsView(query) {
  const question = asked(query), wanted = facets(question);
  const search = el("input", { type: "search", value: query.get("q") || "", oninput: (event) => {
    const next = address().query;
    if (event.target.value) next.set("q", event.target.value); else next.delete("q");
    go(next);
  } });
  const sorts = [["", w("item")]];
  for (const column of Object.values(rows)) {
    if (/^(support|predicted|verdict):/.test(column.name) || ["item", "question", "text"].includes(column.name) || !filled(column, question)) continue;
    sorts.push(...bothWays(column));
  }
  const set = (name, value) => { const next = address().query; if (value) next.set(name, value); else next.delete(name); go(next); };
  const sort = picker(w("sort"), sorts, query.get("sort") || "", (value) => set("sort", value));
  const which = questions.length > 1 ? picker(w("question"), questions.map((one) => [one, one]), called(question), (value) => { location.hash = to("items", null, new URLSearchParams({ question: value })); }) : null;
  const count = el("p", { role: "status" }), empty = para(w("nothing")), line = el("code", { class: "line" });
  let here = query;
  const list = virtual([], (row) => entry(row, here), w("items"));
  const clear = el("button", { onclick: () => { const next = new URLSearchParams(); if (query.get("question")) next.set("question", query.get("question")); search.value = ""; go(next); } }, w("clear"));
  const figure = scatter(question);
  let current = [];
  const all = ordered(question).length;
  const groups = wanted.map((one, at) => facet(one, question, at < 3 && one.values.length < 12));
  const side = el("details", { class: "facets panel", open: !PHONE.matches }, summary(w("filters")), groups.map((one) => one.outer), clear);
  const update = (now) => {
    const { list: fresh, counts } = chosen(now, wanted);
    [current, here] = [fresh, now];
    count.textContent = w("shown", { n: number(fresh.length), all: number(all) });
    empty.hidden = fresh.length > 0;
    list.outer.hidden = !fresh.length;
    line.textContent = python(now);
    list.fill(fresh);
    figure.fill(fresh);
    groups.forEach((one, at) => one.fill(counts[at], now.getAll(one.name)));
  };
  const main = el("div", {}, el("div", { class: "tools" }, which, el("label", { class: "wide" }, w("search"), search), sort,
    el("button", { onclick: () => save("items.csv", csv(current)) }, w("download"))), count, empty, list.outer, figure.outer,
    el("details", {}, summary(w("line")), line));
  return { nodes: [h1(TITLE ? plain(TITLE) : w("items")), wording(question), el("p", { class: "amounts" }, amounts(question)), el("div", { class: "items" }, side, main)], update, question };
}
const varied = (column, question) => { // whether a column of numbers has two different ones
  const known = ordered(question).map((row) => column.array[row]).filter(isFinite);
  return known.some((one) => one !== known[0]);
};
const filled = (column, question) => column.array.some((value, row) => ofQuestion[row] === question && (worded(column) ? value : isFinite(value)));
function scatter(question) {
  const numeric = Object.values(rows).filter((one) => !worded(one) && varied(one, question));
  const models = numeric.find((one) => one.name.startsWith("score:")) || numeric.find((one) => one.name === "deviation");
  if (numeric.length < 2) return { outer: null, fill: () => {} };
  const first = [rows.mean, rows.entropy].find((one) => numeric.includes(one)) || numeric[0];
  let list = [], x = first, y = models || numeric.find((one) => one !== first), dots = [], box = null, frame = null;
  const canvas = el("canvas", { role: "img" });
  const judged = head.models.some((one) => filled(rows[`verdict:${one}`], question)), some = ofQuestion.some((one, row) => one === question && undecided(row));
  const options = numeric.map((one) => [one.name, title(one.name)]);
  const outer = el("details", { ontoggle: () => draw() }, summary(w("figure")), para(w("figureNote"), judged ? [" ", el("span", { class: "hot" }, w("figureWrong"))] : null, some ? [" ", off(w("figureOpen"))] : null),
    el("div", { class: "tools" }, picker(w("axisX"), options, x.name, (name) => { x = rows[name]; draw(); }), picker(w("axisY"), options, y.name, (name) => { y = rows[name]; draw(); })), canvas);
  const span = (column) => {
    let low = Infinity, high = -Infinity;
    for (const row of list) { const value = column.array[row]; if (isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); } }
    const least = low;
    if (!(low < high)) { low -= 0.5; high += 0.5; }
    const air = (high - low) / 40; // dots at the ends are whole
    return { low: Math.max(least < 0 ? -Infinity : 0, low - air), high: high + air };
  };
  const draw = () => {
    if (!outer.open || !canvas.clientWidth) return;
    const density = devicePixelRatio || 1, wide = canvas.clientWidth, tall = canvas.clientHeight;
    [canvas.width, canvas.height] = [wide * density, tall * density];
    const pen = canvas.getContext("2d"), style = getComputedStyle(document.documentElement), ink = (name) => style.getPropertyValue(`--${name}`);
    pen.scale(density, density);
    const horizontal = span(x), vertical = span(y), left = 64, low = tall - 40;
    frame = { horizontal, vertical, left, low, right: wide - 14, top: 14 };
    const px = (value) => left + (value - horizontal.low) / (horizontal.high - horizontal.low) * (frame.right - left);
    const py = (value) => low - (value - vertical.low) / (vertical.high - vertical.low) * (low - frame.top);
    const wrong = head.models.map((one) => rows[`verdict:${one}`]);
    dots = list.filter((row) => isFinite(x.array[row]) && isFinite(y.array[row])).map((row) => [px(x.array[row]), py(y.array[row]), row]);
    pen.font = "13px system-ui, sans-serif";
    pen.fillStyle = ink("soft");
    pen.strokeStyle = ink("line");
    pen.strokeRect(left, frame.top, frame.right - left, low - frame.top);
    pen.textAlign = "right";
    pen.fillText(`n = ${number(dots.length)}`, frame.right, 10);
    for (const b of ticks(vertical, 6)) { pen.fillText(number(b, 4), left - 7, py(b) + 4); pen.fillRect(left - 4, py(b), 4, 1); }
    pen.textAlign = "center";
    for (const a of ticks(horizontal, wide < 500 ? 4 : 8)) { pen.fillText(number(a, 4), px(a), low + 16); pen.fillRect(px(a), low, 1, 4); }
    pen.fillText(title(x.name), (left + frame.right) / 2, low + 33, wide - 52);
    pen.save(); pen.translate(13, (low + frame.top) / 2); pen.rotate(-Math.PI / 2); pen.fillText(title(y.name), 0, 0, tall - 26); pen.restore();
    for (const [at, down, row] of dots) {
      const bad = wrong.some((one) => (text(one, row) || "").startsWith("wrong"));
      pen.globalAlpha = Math.max(0.2, Math.min(0.65, 12 / Math.sqrt(dots.length))); // many dots on one place get darker
      pen.fillStyle = ink(undecided(row) ? "open" : bad ? "hot" : "bar");
      pen.beginPath(); pen.arc(at, down, 3.5, 0, 7); pen.fill();
    }
    pen.globalAlpha = 1;
    if (box) { pen.strokeStyle = ink("ink"); pen.strokeRect(box.x, box.y, box.toX - box.x, box.toY - box.y); }
    canvas.setAttribute("aria-label", `${title(x.name)}, ${title(y.name)}: ${number(dots.length)}`);
  };
  const spot = (event) => { const place = canvas.getBoundingClientRect(); return [event.clientX - place.left, event.clientY - place.top]; };
  const nearest = (a, b, most) => dots.reduce((best, dot) => { const away = Math.hypot(dot[0] - a, dot[1] - b); return away < best[0] ? [away, dot] : best; }, [most, null])[1];
  canvas.addEventListener("pointerdown", (event) => { const [a, b] = spot(event); box = { x: a, y: b, toX: a, toY: b }; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    const [a, b] = spot(event);
    if (box) { [box.toX, box.toY] = [a, b]; draw(); return; }
    const near = nearest(a, b, 9);
    canvas.title = near ? heading(near[2]) : "";
  });
  canvas.addEventListener("pointerup", (event) => {
    const [a, b] = spot(event), start = box;
    box = null;
    if (!start || !frame) return;
    if (Math.hypot(a - start.x, b - start.y) < 5) {
      const near = nearest(a, b, 12);
      if (near) location.hash = to("item", text(rows.item, near[2]), address().query);
      return;
    }
    const range = ({ low, high }, ...shares) => shares.sort((a, b) => a - b).map((one) => (low + one * (high - low)).toPrecision(4)).join("..");
    const inX = (at) => (at - frame.left) / (frame.right - frame.left), inY = (at) => (frame.low - at) / (frame.low - frame.top);
    const next = address().query;
    next.set(x.name, range(frame.horizontal, inX(a), inX(start.x)));
    next.set(y.name, range(frame.vertical, inY(b), inY(start.y)));
    go(next);
  });
  addEventListener("resize", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return { outer, fill: (fresh) => { list = fresh; draw(); } };
}
function itemView(id, query) {
  let row = byKey.get(`${asked(query)}\n${id}`);
  if (row === undefined && !query.has("question")) { // an item that the first question was not asked about
    const other = questions.find((one) => byKey.has(`${codes.get(one)}\n${id}`));
    if (other) { query.set("question", other); row = byKey.get(`${asked(query)}\n${id}`); }
  }
  if (row === undefined) return missing();
  const { list } = chosen(query), at = list.indexOf(row);
  const step = (by, name, key) => { const other = list[at + by]; return at < 0 || other === undefined ? null : el("a", { href: to("item", idOf(other), query), rel: key, "data-step": key }, name); };
  const pager = el("nav", { class: "pager", "aria-label": w("items") }, el("a", { href: to("items", null, query) }, w("back")), step(-1, `← ${w("previous")}`, "prev"), step(1, `${w("next")} →`, "next"),
    at < 0 ? null : off(w("place", { n: number(at + 1), all: number(list.length) })));
  const facts = [];
  for (const column of Object.values(rows)) {
    if (SHOWN.includes(column.name) || column.name.includes(":") || column.name === "models_wrong" || column.name === "ratings" && !RATED) continue;
    if (column.name === "question" && questions.length < 2) continue;
    const value = cell(column, row);
    if (value === null || Number.isNaN(value)) continue;
    facts.push(term(title(column.name)), told(worded(column) ? listed(value) : number(value)));
  }
  const { names, counts } = distribution(row), total = counts.reduce((sum, one) => sum + one, 0);
  const bars = names.map((name, one) => { const bar = el("span", { class: "bar" }); bar.style.width = `${total ? 100 * counts[one] / total : 0}%`; if (!counts[one]) bar.style.visibility = "hidden"; return [plain(name), number(counts[one]), el("span", { class: "share" }, el("span", { class: "n" }, percent(total ? counts[one] / total : NaN)), el("span", {}, bar))]; });
  const labels = methodsAt(row).map((method) => [method, plain(labelAt(method, row)), percent(rows[`support:${method}`].array[row])]);
  const models = head.models.filter((model) => asksAbout(model, ofQuestion[row])).map((model) => predicted(model, row));
  const behind = text(rows.source_sentence, row), place = text(rows.source_document, row), { sources } = Object.fromEntries(head.about);
  return [pager, h1(plain(heading(row))), wording(ofQuestion[row]), comparison(row), behind ? el("div", { class: "asked" }, para(`${w("source_sentence")}: `, el("q", {}, plain(behind)), " ", off(plain([sources, place && w("inDocument", { n: place })].filter(Boolean).join(", "))))) : null, el("div", { class: "two" },
    el("div", {}, h2(RATED ? `${w("distribution")} (n = ${number(total)})` : w("distribution")), total ? table(w("distribution"), [w("answer"), w("count"), w("share")], bars, [1]) : para(w(RATED ? "noRatings" : "notPart")),
      labels.length ? [h2(w("labels")), table(w("labels"), [w("method"), w("label"), w("support")], labels, [2])] : null,
      models.length ? [h2(w("models")), table(w("models"), [w("model"), w("predicted"), w("confidence"), w("verdict")], models, [2])] : null),
    el("div", {}, h2(w("facts")), dl(facts))), given(row)];
}
function listed(value) { // a list of texts, such as the sentences of a story, is numbered
  let all = null;
  if (value.startsWith("[")) try { all = JSON.parse(value); } catch {}
  return Array.isArray(all) ? el("ol", {}, all.map((one) => el("li", {}, plain(String(one))))) : plain(value);
}
function comparison(row) { // the item and its candidates, where items have some
  const id = idOf(row), whole = head.sets[id] || head.sets[text(rows.source, row)];
  if (!whole) return null;
  return el("div", { class: "asked" }, whole.text === heading(row) ? null : para(`${w("candidateOf")}: `, plain(whole.text)),
    para(`${w("candidates")}:`), dl(whole.candidates.flatMap(([name, shown]) => [term(plain(name)), told(plain(shown))])));
}
function predicted(model, row) {
  const said = text(rows[`predicted:${model}`], row), score = rows[`score:${model}`].array[row], verdict = text(rows[`verdict:${model}`], row);
  const shown = said !== null ? label(said, `predicted:${model}`, askedAt(row)) : isFinite(score) ? `${w("score")} ${number(score, 3)}` : w("notAsked");
  return [el("a", { href: to("model", model) }, plain(model)), plain(shown), percent(rows[`confidence:${model}`].array[row]), el("span", { class: verdict === "wrong" ? "hot" : null }, verdict ? w(verdict) : "–")];
}
function against(at, row) { // one rating, what the others answered, and why it was set aside
  const reason = ratings.reason[at], code = ratings.answer[at], [answer, value] = head.answers[code];
  let others = reason ? rows.mean.array[row] : NaN, same = 0, all = 0;
  for (let one = cells.start[row]; one < cells.start[row + 1]; one++) {
    all += cells.count[one];
    if (cells.answer[one] !== code) continue;
    same = cells.count[one];
    if (!reason) others = cells.others[one];
  }
  if (!reason) { same--; all--; }
  return { row, at, answer, others, same, all, difference: value === null ? NaN : value - others, reason: reason ? head.reasons[reason - 1] : null };
}
const signed = (value) => isFinite(value) ? (value > 0 ? "+" : "") + fixed(value).replace("-", "−") : "–";
const status = (reason) => reason === null ? w("kept") : off(`${w("aside")}: ${reason}`);
function compared(name, first, list, question, lead) { // ratings of one question against those of others
  const means = filled(rows.mean, question), some = list.some((one) => one.reason !== null);
  const titles = [first, w("answer"), ...(means ? [w("others"), w("difference")] : [w("same")]), ...(some ? [w("state")] : [])];
  const lines = list.map((one) => [lead(one), plain(one.answer), ...(means ? [fixed(one.others), signed(one.difference)] : [w("of", { n: number(one.same), all: number(one.all) })]), ...(some ? [status(one.reason)] : [])]);
  return [table(name, titles, lines, means ? [2, 3] : [2]), some ? null : el("p", { class: "off" }, w("allKept"))];
}
function given(row) {
  if (!ratings) return RATED ? para(w(head.itemsOnly ? "noPeople" : "noNames")) : null;
  const list = [];
  for (let one = ratings.start[row]; one < ratings.start[row + 1]; one++) list.push(against(one, row));
  const who = ({ at: one }) => { const name = text(people.annotator, ratings.person[one]); return el("a", { href: to("person", name) }, plain(name)); };
  return [h2(w("ratings")), list.length ? compared(w("ratings"), w("person"), list, ofQuestion[row], who) : para(w("noRatings"))];
}
const personal = (column, one) => worded(column) ? text(column, one) || "–" : (column.name === "alike" ? percent : number)(column.array[one]);
function peopleView(query) {
  const key = query.get("sort") || "", shown = Object.values(people).filter((one) => one.name !== "annotator");
  const sorts = [["", w("person")], ...shown.flatMap(bothWays)];
  const list = virtual([], (one) => {
    const said = shown.filter((column) => !worded(column) || text(column, one)).map((column) => `${title(column.name)}: ${personal(column, one)}`);
    return el("a", { class: "whole", href: to("person", text(people.annotator, one)) }, el("span", { class: "main" }, plain(text(people.annotator, one))), el("span", { class: "meta" }, joined(said)));
  }, w("people"));
  const nodes = [h1(`${w("people")} (${number(head.people.height)})`), el("div", { class: "tools" }, picker(w("sort"), sorts, key, (value) => { location.hash = to("people", null, new URLSearchParams(value ? { sort: value } : {})); })), list.outer];
  return { nodes, update: () => list.fill(sorted([...Array(head.people.height).keys()], key, people)) };
}
const backTo = (view) => el("nav", { class: "pager", "aria-label": w(view) }, el("a", { href: `#${view}` }, w("back")));
const linked = (row) => el("a", { href: to("item", idOf(row), questions.length > 1 ? new URLSearchParams({ question: askedAt(row) }) : null) }, plain(heading(row)));
function personView(id) {
  const one = byPerson.get(id);
  if (one === undefined) return missing();
  const facts = Object.values(people).filter((column) => column.name !== "annotator").flatMap((column) => [term(title(column.name)), told(plain(personal(column, one)))]);
  const own = [];
  for (let row = 0; row < head.height; row++) for (let at = ratings.start[row]; at < ratings.start[row + 1]; at++) if (ratings.person[at] === one) own.push(against(at, row));
  const size = (said) => isFinite(said.difference) ? Math.abs(said.difference) : 1 - said.same / said.all || 0;
  own.sort((a, b) => size(b) - size(a) || a.row - b.row);
  const parts = questions.map((question) => {
    const list = own.filter((said) => ofQuestion[said.row] === codes.get(question));
    const name = questions.length > 1 ? `${w("answersOf")}: ${question}` : w("answersOf");
    return list.length ? [h2(name), questions.length > 1 ? wording(codes.get(question)) : null, compared(name, w("item"), list, codes.get(question), ({ row }) => linked(row))] : null;
  });
  return [backTo("people"), h1(`${w("person")} `, plain(id)), dl(facts), parts];
}
const VERDICTS = ["right", "wrong", "wrong (split)", "no label"];
function verdicts(model) {
  const made = Object.fromEntries(VERDICTS.map((one) => [one, []]));
  let all = 0, judged = 0;
  for (let row = 0; row < head.height; row++) {
    const verdict = text(rows[`verdict:${model}`], row);
    if (verdict) judged += made[verdict].push(row) && 1;
    if (text(rows[`predicted:${model}`], row) || isFinite(rows[`score:${model}`].array[row])) all++;
  }
  return { ...made, all, judged };
}
function scored(list) {
  return table(w("scores"), [w("model"), w("metric"), w("slice"), w("value"), w("interval"), "n"], list.map((one) => [plain(one.model), one.metric, one.slice, fixed(one.value ?? NaN, 3), one.low === null ? "–" : `${fixed(one.low, 3)} – ${fixed(one.high, 3)}`, number(one.n)]), [3, 5]);
}
function modelsView() {
  const lines = head.models.map((model) => { const found = verdicts(model); return [el("a", { href: to("model", model) }, plain(model)), number(found.all), ...VERDICTS.map((one) => found.judged ? number(found[one].length) : "–"), number(found.all - found.judged)]; });
  return [h1(w("models")), table(w("models"), [w("model"), w("asked"), ...VERDICTS.map((one) => capital(w(one))), w("rest")], lines, [1, 2, 3, 4, 5, 6]),
    head.scores.length ? [h2(w("scores")), scored(head.scores)] : null];
}
function modelView(model) {
  if (!head.models.includes(model)) return missing();
  const found = verdicts(model), sure = rows[`confidence:${model}`].array, known = sure.some(isFinite);
  const part = (key, name, note) => {
    const list = sorted(found[key], `-confidence:${model}`, rows), split = percent(head.split);
    const lines = list.slice(0, LISTED).map((row) => [linked(row), plain(label(text(rows[`predicted:${model}`], row), `predicted:${model}`, askedAt(row))), percent(sure[row]), plain(labelAt(methodsAt(row)[0], row)), percent(rows[`support:${methodsAt(row)[0]}`].array[row]), number(rows.ratings.array[row])]);
    return [h2(`${w(name)} (${number(list.length)})`), el("p", { class: "off" }, w(note, { split }), list.length > LISTED ? ` ${w("first", { n: LISTED, all: number(list.length) })}` : ""),
      lines.length ? table(w(name), [w("item"), w("predicted"), w("confidence"), w("label"), w("support"), "n"], lines, [2, 4, 5]) : para(w("empty"))];
  };
  const own = head.scores.filter((one) => one.model === model);
  return [backTo("models"), h1(plain(model)), questions.map((one) => codes.get(one)).filter((one) => asksAbout(model, one)).map(wording), para(`${w("asked")}: ${number(found.all)}. ${found.judged ? `${w("compared")}: ${number(found.right.length + found.wrong.length + found["wrong (split)"].length)}.` : w("notCompared")}`),
    found.judged ? [part("wrong", known ? "surest" : "wrongs", "surestNote"), part("wrong (split)", "divided", "dividedNote"), part("no label", "open", "openNote")] : null, own.length ? [h2(w("scores")), scored(own)] : null];
}
function aboutView() {
  const facts = [["name", head.name], ...head.about].flatMap(([key, value]) => [term(w(key)), told(plain(value))]);
  const rules = head.rules.map((one) => [plain(one.rule), number(one.ratings), number(one.people)]);
  return [h1(w("about")), para(w("privacy")), h2(w("whatAsked")), questions.map((one) => [questions.length > 1 ? el("h3", {}, plain(one)) : null, wording(codes.get(one)), para(amounts(codes.get(one)))]), h2(w("facts")), dl(facts), rules.length ? [h2(w("rules")), table(w("rules"), [w("rule"), w("ratings"), w("people")], rules, [1, 2])] : null,
    h2(w("numbers")), para(w("numbersNote")), h2(w("keys")), para(w("keysNote"))];
}
const missing = () => [h1(w("unknown")), para(el("a", { href: "#items" }, w("items")))];

// the frame around all views
const main = el("main", { id: "main", tabindex: -1 }), bar = el("header", {}), notices = el("div", { role: "region" });
document.body.append(el("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); main.focus(); } }, w("skip")), bar, notices, main);
function frame(view) {
  const current = { item: "items", person: "people", model: "models" }[view] || view;
  const links = ["items", ...(people ? ["people"] : []), ...(head.models.length ? ["models"] : []), "about"];
  bar.replaceChildren(el("strong", {}, plain(head.name)), el("nav", { "aria-label": w("views") }, links.map((one) => el("a", { href: `#${one}`, "aria-current": one === current ? "page" : null }, w(one)))),
    el("select", { "aria-label": w("language"), onchange: (event) => { language = event.target.value; open = null; scales.clear(); show(); } }, LANGUAGES.map((one) => el("option", { value: one, selected: one === language }, one))));
  notices.setAttribute("aria-label", w("about"));
  notices.replaceChildren(...[...(head.kind === "study" && people ? [w("owner")] : []), ...head.notices.map((one) => w(one))].map((one) => el("p", { class: "notice" }, plain(one))));
  notices.hidden = !notices.childElementCount;
  document.documentElement.lang = language;
}
function show(same) {
  const { view, id, query } = address();
  if (view === "items" && open && same && open.question === asked(query)) { open.update(query); return; }
  frame(view);
  const views = { items: () => itemsView(query), item: () => itemView(id, query), people: () => peopleView(query), person: () => personView(id), models: modelsView, model: () => modelView(id), about: aboutView };
  const offered = Object.hasOwn(views, view) && (people || !/^p/.test(view)) && (head.models.length || !/^m/.test(view));
  const made = (offered ? views[view] : missing)();
  open = view === "items" ? made : null;
  main.replaceChildren(...(made.nodes || made).flat(3).filter(Boolean));
  if (made.update) made.update(query);
  document.title = `${head.name}: ${id || w(view)}`;
}
addEventListener("hashchange", () => { show(); scrollTo(0, 0); main.focus({ preventScroll: true }); });
addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const search = main.querySelector("input[type=search]");
  if (event.key === "/" && search) { event.preventDefault(); search.focus(); }
  const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (step) main.querySelector(`[data-step=${step}]`)?.click();
});
show();
})();
