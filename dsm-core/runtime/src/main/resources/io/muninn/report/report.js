'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const run = data.run;
const COLORS = { load: '#3d7fd9', store: '#8b5cd6', lock: '#d64545', barrier: '#e8963a',
  condition: '#c9b037', message: '#d977b4', call: '#8a6d4f', remote: '#2fa3a3',
  phase: '#8c979f', idle: '#b9c1c7', other: '#5f6b75' };
const byId = (id) => document.getElementById(id);
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** An element with attributes, a text or children. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** A time with a readable unit. */
function time(nanos) {
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['µs', 1e3]]) {
    if (Math.abs(nanos) >= size) {
      const value = nanos / size;
      return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0) + ' ' + unit;
    }
  }
  return nanos + ' ns';
}

function bytes(number) {
  for (const [unit, size] of [['GiB', 2 ** 30], ['MiB', 2 ** 20], ['KiB', 2 ** 10]]) {
    if (number >= size) return (number / size).toFixed(number / size < 10 ? 2 : 1) + ' ' + unit;
  }
  return number + ' B';
}

const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) : '0.0') + ' %';
const count = (number, noun) => number + ' ' + noun + (number === 1 ? '' : 's');
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const shown = (key, value) =>
  /nanos$/i.test(key) ? time(value) : /bytes$/i.test(key) ? bytes(value) : String(value);
const laneName = (lane) => 'node ' + lane.node
  + (lane.thread < 0 ? ', unknown threads' : ' thread ' + lane.thread);

/** A cell with the exact number as an attribute. */
const cell = (key, value) =>
  make('td', { 'data-key': key, 'data-value': value }, shown(key, value));
const text = (words, kind) => make('td', { class: kind || 'text' }, String(words));

function fill(id, heads, rows) {
  const table = byId(id);
  table.replaceChildren();
  if (rows.length === 0) return;
  const head = make('tr');
  heads.forEach((word) => head.append(make('th', {}, word)));
  table.append(make('thead', {}, head), make('tbody', {}, ...rows));
}

/** The end of a lane in nanoseconds, and its time that is no wait. */
const laneNanos = (lane) => lane.endMicros * 1000;
const computed = (lane) => Math.max(0, laneNanos(lane) - sum(lane.nanos));

function showHeading() {
  const parts = [count(run.nodes, 'node') + ' of '
    + (run.processes > 1 ? run.processes + ' processes of ' : '') + count(run.threads, 'thread'),
  'protocols ' + run.protocol, 'engine ' + run.engine,
  run.seconds.toFixed(run.seconds < 10 ? 3 : 1) + ' s'];
  if (run.verified !== null) parts.push(run.verified ? 'verified' : 'WRONG RESULT');
  if (run.status !== 0) parts.push('status ' + run.status + ': ' + run.cause);
  byId('heading').textContent = (run.version ? '(' + run.version + ') ' : '') + parts.join(', ');
}

const usedKinds = data.kinds.map((_, kind) => kind)
  .filter((kind) => data.threads.some((lane) => lane.counts[kind] > 0));

function showSums() {
  const legend = byId('legend');
  const chip = (name, color) =>
    make('span', { class: 'chip' }, make('i', { style: 'background:' + color }), name);
  legend.append(chip('compute', 'var(--compute)'));
  usedKinds.forEach((kind) => legend.append(chip(data.kinds[kind], COLORS[data.kinds[kind]])));
  const rows = data.threads.filter((lane) => lane.thread >= 0).map((lane) => {
    const bar = make('div', { class: 'bar' });
    const whole = Math.max(laneNanos(lane), 1);
    bar.append(make('i', { style: 'width:' + 100 * computed(lane) / whole + '%' }));
    usedKinds.forEach((kind) => bar.append(make('i', { style: 'width:'
      + 100 * lane.nanos[kind] / whole + '%;background:' + COLORS[data.kinds[kind]] })));
    return make('tr', {}, text(laneName(lane)), make('td', {}, bar),
      cell('computeNanos', computed(lane)),
      ...usedKinds.map((kind) => cell(data.kinds[kind] + 'Nanos', lane.nanos[kind])));
  });
  fill('sums', ['thread', '', 'compute', ...usedKinds.map((kind) => data.kinds[kind])], rows);
}

/* The time line. */
const whole = Math.max(1, data.endMicros);
const view = { from: 0, to: whole };
const LEFT = 120;
const AXIS = 20;
const laneHeight = Math.max(7, Math.min(30, Math.floor(900 / Math.max(1, data.threads.length))));
const waitsOf = data.threads.map(() => []);
data.waits.forEach((wait) => waitsOf[wait[0]].push(wait));
waitsOf.forEach((waits) => waits.sort((a, b) => a[4] - b[4]));
const steps = data.path.steps.slice().sort((a, b) => a[3] - b[3]);

function about(wait) {
  const region = run.regions[wait[2]];
  return wait[2] < 0 ? data.names[wait[3]] : (region ? region.region : 'region ' + wait[2])
    + ' page ' + wait[3];
}

/** Microseconds waited, by kind, in a period of a lane. */
function waited(lane, from, to) {
  const width = lane.slotMicros;
  return lane.slots.map((slots) => {
    let total = 0;
    for (let slot = Math.floor(from / width); slot < slots.length && slot * width < to; slot++) {
      const part = Math.min(to, (slot + 1) * width) - Math.max(from, slot * width);
      total += slots[slot] * Math.max(0, part) / width;
    }
    return total;
  });
}

function prepare(canvas, height) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth || 1200;
  canvas.style.height = height + 'px';
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = '12px system-ui, sans-serif';
  pen.clearRect(0, 0, width, height);
  return { pen, width };
}

function drawAxis(pen, width, height) {
  const span = view.to - view.from;
  let step = 10 ** Math.floor(Math.log10(Math.max(span / 6, 1)));
  while (span / step > 10) step *= span / step > 25 ? 5 : 2;
  pen.fillStyle = variable('--faint');
  pen.strokeStyle = variable('--edge');
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) {
    const x = LEFT + (at - view.from) / span * (width - LEFT);
    pen.beginPath();
    pen.moveTo(x, AXIS - 4);
    pen.lineTo(x, height);
    pen.stroke();
    pen.fillText(time(at * 1000), x + 3, 12);
  }
}

function drawLane(pen, lane, position, width) {
  const y = AXIS + position * laneHeight;
  const high = laneHeight - (laneHeight > 10 ? 4 : 1);
  const scale = (width - LEFT) / (view.to - view.from);
  const place = (micros) => LEFT + (micros - view.from) * scale;
  if (laneHeight >= 11) {
    pen.fillStyle = variable('--text');
    pen.fillText(laneName(lane), 0, y + high / 2 + 4);
  }
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, y, width - LEFT, high);
  pen.clip();
  pen.fillStyle = variable('--compute');
  if (lane.thread >= 0) pen.fillRect(place(0), y, (lane.endMicros) * scale, high);
  for (let x = LEFT; x < width; x++) {
    const from = view.from + (x - LEFT) / scale;
    const to = from + 1 / scale;
    if (to > 0 && from < lane.endMicros) {
      let top = y + high;
      waited(lane, from, to).forEach((micros, kind) => {
        const part = Math.min(1, micros / (to - from)) * high;
        if (part > 0) {
          top = Math.max(y, top - part);
          pen.fillStyle = COLORS[data.kinds[kind]];
          pen.fillRect(x, top, 1, part);
        }
      });
    }
  }
  waitsOf[position].forEach((wait) => {
    const length = wait[5] * scale;
    if (length >= 1.5 && wait[4] < view.to && wait[4] + wait[5] > view.from) {
      pen.fillStyle = COLORS[data.kinds[wait[1]]];
      pen.fillRect(place(wait[4]), y, length, high);
    }
  });
  pen.restore();
}

function drawPath(pen, width, height) {
  const scale = (width - LEFT) / (view.to - view.from);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, AXIS - 2, width - LEFT, height);
  pen.clip();
  pen.strokeStyle = variable('--path');
  const isDense = steps.filter((step) => step[3] < view.to && step[3] + step[4] > view.from)
    .length > 400;
  pen.lineWidth = isDense ? 1 : 2;
  pen.globalAlpha = isDense ? 0.5 : 1;
  let before = -1;
  pen.beginPath();
  steps.forEach((step) => {
    const y = AXIS + step[0] * laneHeight + laneHeight - (laneHeight > 10 ? 3 : 1);
    const from = LEFT + (step[3] - view.from) * scale;
    if (before >= 0 && before !== y && data.path.stepsLeftOut === 0) {
      pen.moveTo(from, before);
      pen.lineTo(from, y);
    }
    pen.moveTo(from, y);
    pen.lineTo(from + Math.max(0.5, step[4] * scale), y);
    before = y;
  });
  pen.stroke();
  pen.restore();
}

function drawLine() {
  const canvas = byId('line');
  const height = AXIS + data.threads.length * laneHeight + 4;
  const { pen, width } = prepare(canvas, height);
  drawAxis(pen, width, height);
  data.threads.forEach((lane, position) => drawLane(pen, lane, position, width));
  if (byId('showPath').checked) drawPath(pen, width, height);
  byId('range').textContent = time(view.from * 1000) + ' to ' + time(view.to * 1000)
    + '; wheel: zoom, drag: move, arrows and + - work, too';
}

function zoom(factor, at) {
  const span = Math.min(whole, Math.max(20, (view.to - view.from) * factor));
  const share = (at - view.from) / (view.to - view.from);
  view.from = Math.max(0, Math.min(whole - span, at - share * span));
  view.to = view.from + span;
  drawLine();
}

function move(micros) {
  const span = view.to - view.from;
  view.from = Math.max(0, Math.min(whole - span, view.from + micros));
  view.to = view.from + span;
  drawLine();
}

function tell(event, words) {
  const tip = byId('tip');
  tip.hidden = words === '';
  tip.textContent = words;
  tip.style.left = Math.min(event.clientX + 14, window.innerWidth - 330) + 'px';
  tip.style.top = (event.clientY + 16) + 'px';
}

function timeAt(event) {
  const box = byId('line').getBoundingClientRect();
  const share = (event.clientX - box.left - LEFT) / (box.width - LEFT);
  return view.from + share * (view.to - view.from);
}

function tellLine(event) {
  const at = timeAt(event);
  const box = byId('line').getBoundingClientRect();
  const position = Math.floor((event.clientY - box.top - AXIS) / laneHeight);
  const lane = data.threads[position];
  if (lane === undefined || at < view.from) return tell(event, '');
  const pixel = (view.to - view.from) / (box.width - LEFT);
  const words = [laneName(lane) + ' at ' + time(at * 1000)];
  const hit = waitsOf[position]
    .filter((wait) => wait[4] <= at + pixel && wait[4] + wait[5] >= at - pixel)
    .sort((a, b) => b[5] - a[5]).slice(0, 3);
  hit.forEach((wait) => words.push(data.kinds[wait[1]] + ' ' + about(wait) + ': '
    + time(wait[5] * 1000)));
  if (hit.length === 0) {
    const from = Math.floor(at / lane.slotMicros) * lane.slotMicros;
    waited(lane, from, from + lane.slotMicros).forEach((micros, kind) => {
      if (micros > 0) words.push(data.kinds[kind] + ' ' + percent(micros, lane.slotMicros));
    });
  }
  tell(event, words.join('\n'));
}

function watchLine() {
  const canvas = byId('line');
  let dragged = null;
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event));
  }, { passive: false });
  canvas.addEventListener('pointerdown', (event) => {
    dragged = timeAt(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', () => { dragged = null; });
  canvas.addEventListener('pointermove', (event) => {
    if (dragged === null) tellLine(event);
    else move(dragged - timeAt(event));
  });
  canvas.addEventListener('pointerleave', (event) => tell(event, ''));
  const middle = () => (view.from + view.to) / 2;
  const reset = () => { view.from = 0; view.to = whole; drawLine(); };
  canvas.addEventListener('dblclick', reset);
  canvas.addEventListener('keydown', (event) => {
    const part = (view.to - view.from) / 8;
    if (event.key === '+') zoom(0.7, middle());
    if (event.key === '-') zoom(1.4, middle());
    if (event.key === 'ArrowLeft') move(-part);
    if (event.key === 'ArrowRight') move(part);
  });
  byId('closer').addEventListener('click', () => zoom(0.5, middle()));
  byId('farther').addEventListener('click', () => zoom(2, middle()));
  byId('whole').addEventListener('click', reset);
  byId('showPath').addEventListener('change', drawLine);
  byId('lineNote').textContent = 'Each pixel shows the share of its time that the thread waited,'
    + ' from the bottom up; long waits are shown singly.'
    + (data.dropped > 0 ? ' ' + data.dropped + ' short waits are only in these shares.' : '');
}

function showPath() {
  const path = data.path;
  byId('pathText').textContent = path.steps.length === 0
    ? 'No thread waited for another one.'
    : 'The chain of steps that determined how long the run took, ' + time(path.nanos)
      + (path.isComplete ? '.' : '; only of the first part of the run, because there were too many'
        + ' synchronizations to keep.');
  fill('pathKinds', ['on the path', 'time', 'share'], Object.entries(path.sums)
    .filter(([, nanos]) => nanos > 0)
    .map(([kind, nanos]) => make('tr', {}, text(kind), cell(kind + 'Nanos', nanos),
      make('td', {}, percent(nanos, path.nanos)))));
  const byLane = data.threads.map(() => 0);
  const byName = new Map();
  steps.forEach((step) => {
    if (step[1] === 'compute') byLane[step[0]] += step[4];
    else {
      const key = step[1] + ' ' + data.names[step[2]];
      const before = byName.get(key) || [0, 0];
      byName.set(key, [before[0] + step[4], before[1] + 1]);
    }
  });
  fill('pathThreads', ['thread whose work is on the path', 'time', 'share'], data.threads
    .map((lane, at) => [laneName(lane), byLane[at]]).filter(([, micros]) => micros > 0)
    .map(([name, micros]) => make('tr', {}, text(name), cell('Nanos', micros * 1000),
      make('td', {}, percent(micros * 1000, path.nanos)))));
  fill('pathSteps', ['synchronization on the path', 'time', 'steps'], [...byName.entries()]
    .sort((a, b) => b[1][0] - a[1][0]).slice(0, 20)
    .map(([name, [micros, times]]) => make('tr', {}, text(name), cell('Nanos', micros * 1000),
      make('td', {}, String(times)))));
}

/* The heat of pages. */
const ROW = 14;

function cellsOf(node, measure) {
  const cells = new Map();
  const flat = node[measure];
  for (let i = 0; i < flat.length; i += 2) cells.set(flat[i], flat[i + 1]);
  return cells;
}

function drawHeat(canvas, region, measure) {
  const columns = Math.ceil(region.pages / region.pagesPerCell);
  const { pen, width } = prepare(canvas, region.byNode.length * ROW + 2);
  const wide = Math.min(24, (width - LEFT) / columns);
  const rows = region.byNode.map((node) => cellsOf(node, measure));
  const most = Math.max(1, ...rows.flatMap((cells) => [...cells.values()]));
  region.byNode.forEach((node, row) => {
    pen.fillStyle = variable('--text');
    pen.fillText('node ' + node.node, 0, row * ROW + 11);
    pen.fillStyle = variable('--cold');
    pen.fillRect(LEFT, row * ROW, columns * wide, ROW - 2);
    rows[row].forEach((amount, at) => {
      const share = 0.15 + 0.85 * Math.log1p(amount) / Math.log1p(most);
      pen.fillStyle = 'rgba(' + variable('--heat') + ', ' + share + ')';
      pen.fillRect(LEFT + at * wide, row * ROW, Math.max(1, wide - (wide > 4 ? 1 : 0)), ROW - 2);
    });
  });
  canvas.onpointermove = (event) => {
    const box = canvas.getBoundingClientRect();
    const at = Math.floor((event.clientX - box.left - LEFT) / wide);
    const node = region.byNode[Math.floor((event.clientY - box.top) / ROW)];
    if (node === undefined || at < 0 || at >= columns) return tell(event, '');
    const first = at * region.pagesPerCell;
    const last = Math.min(region.pages, first + region.pagesPerCell) - 1;
    tell(event, region.region + ' page ' + first + (last > first ? ' to ' + last : '') + ', node '
      + node.node + '\n' + data.measures.map((key) => key + ' '
        + shown(key, cellsOf(node, key).get(at) || 0)).join('\n'));
  };
  canvas.onpointerleave = (event) => tell(event, '');
}

function showHeat() {
  const measure = byId('measure').value;
  const folder = byId('heat');
  folder.replaceChildren();
  const none = [];
  data.heat.filter((region) => region.byNode.length > 0).forEach((region) => {
    const canvas = make('canvas');
    const total = sum(region.byNode.flatMap((node) => [...cellsOf(node, measure).values()]));
    if (total === 0) return none.push(region.region);
    folder.append(make('div', { class: 'heat', 'data-region': region.region, 'data-value': total },
      make('div', {}, region.region + ': ' + count(region.pages, 'page') + ', '
        + shown(measure, total)),
      canvas));
    drawHeat(canvas, region, measure);
  });
  if (none.length > 0) folder.append(make('p', { class: 'note' }, 'none: ' + none.join(', ')));
}

const LINES = 8;

/** The lines that store to a page, the most frequent ones first. */
function linesOf(page) {
  const stores = page.storedAt.slice().sort((a, b) => b.times - a.times);
  const rest = stores.length - LINES;
  return make('td', { class: 'text' }, ...stores.slice(0, LINES).map((each) => make('div',
    { 'data-key': 'times', 'data-value': each.times },
    each.line + ' on node ' + each.node + ', ' + count(each.times, 'time'))),
  rest > 0 ? make('div', {}, 'and ' + rest + ' more') : undefined);
}

function showFalse() {
  const rows = [];
  run.regions.forEach((region) => region.suspectedPages.forEach((page) => rows.push([
    region.region, page.page, page.elements.map((each) =>
      each.variable + '[' + each.first + '..' + each.last + ']').join(', '),
    page.nodes.join(', '), page.falselyShared, page.conflicting, linesOf(page)])));
  rows.sort((a, b) => b[4] - a[4]);
  byId('falseText').textContent = rows.length === 0
    ? 'No page was seen to be stored to by several nodes at once, each its own elements.'
    : rows.length + ' pages to which several nodes stored between two synchronizations, each its'
      + ' own elements' + (rows.length > 200 ? '; the first 200:' : ':')
      + (data.storesDropped > 0
        ? ' The lines of ' + data.storesDropped + ' stores were not kept.' : '');
  fill('false', ['variable', 'page', 'elements', 'seen by nodes', 'diffs', 'conflicting',
    'stored to at'],
    rows.slice(0, 200).map((row) => make('tr', {}, text(row[0]), text(row[1], ''),
      text(row[2], 'wide'), text(row[3], ''), cell('falselyShared', row[4]),
      cell('conflicting', row[5]), row[6])));
}

function showTables() {
  const kinds = Object.entries(run.totals.byKind).filter(([, sent]) => sent.messages > 0)
    .sort((a, b) => b[1].messages - a[1].messages);
  fill('kinds', ['kind', 'messages', 'bytes', 'share of bytes'], kinds.map(([kind, sent]) =>
    make('tr', { 'data-kind': kind }, text(kind), cell('messages', sent.messages),
      cell('bytes', sent.bytes), make('td', {}, percent(sent.bytes, run.totals.bytes)))));
  const columns = ['pages', 'readFaults', 'writeFaults', 'readFaultNanos', 'writeFaultNanos',
    'pagesFetched', 'twinsMade', 'diffsMade', 'diffsApplied', 'falselyShared', 'messages', 'bytes']
    .filter((key) => run.regions.length > 0 && key in run.regions[0]);
  fill('regions', ['variable', 'protocol', ...columns], run.regions.map((region) =>
    make('tr', { 'data-region': region.region }, text(region.region), text(region.protocol),
      ...columns.map((key) => cell(key, region[key])))));
  const keys = Object.keys(run.totals).filter((key) => key !== 'byKind' && run.totals[key] > 0);
  fill('counts', ['', ...run.perNode.map((node) => 'node ' + node.node), 'all'],
    keys.map((key) => make('tr', { 'data-counter': key }, text(key),
      ...run.perNode.map((node) => cell(key, node[key])), cell(key, run.totals[key]))));
}

function drawAll() {
  drawLine();
  showHeat();
}

showHeading();
showSums();
watchLine();
showPath();
showFalse();
showTables();
data.measures.forEach((key) => byId('measure').append(make('option', { value: key }, key)));
byId('measure').addEventListener('change', showHeat);
drawAll();
window.addEventListener('resize', drawAll);
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
document.documentElement.setAttribute('data-ready', 'true');
