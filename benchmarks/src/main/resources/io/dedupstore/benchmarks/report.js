'use strict';

const NAMES = {
  BARE: 'no protection', BY_HAND: 'by hand', DEDUP_STORE: 'dedup-store', EVENTUATE: 'Eventuate Tram',
  SPRING_INTEGRATION: 'Spring Integration', CAMEL: 'Camel'
};
const COLOURS = {
  BARE: '#98a3b3', BY_HAND: '#4c78a8', DEDUP_STORE: '#e4572e', EVENTUATE: '#54a24b', SPRING_INTEGRATION: '#b279a2',
  CAMEL: '#c9a227'
};
const PERCENTILES = { '50.0': '#4c78a8', '99.0': '#e4572e', '99.9': '#b279a2', '100.0': '#98a3b3' };

const rows = results.map(run => ({
  name: run.benchmark.split('.').slice(-2).join('.'),
  database: run.params.database,
  contender: run.params.contender || 'DEDUP_STORE',
  threads: run.threads,
  params: run.params,
  forks: run.forks,
  score: run.primaryMetric.score,
  error: run.primaryMetric.scoreError,
  unit: run.primaryMetric.scoreUnit,
  percentiles: run.primaryMetric.scorePercentiles,
  extra: run.secondaryMetrics
}));
const databases = [...new Set(rows.map(row => row.database))];
const found = (name, more = {}) => rows.filter(row => row.name === name
  && Object.entries(more).every(([key, value]) => row[key] === value));
const number = value => typeof value === 'number' && Number.isFinite(value);
const show = (value, digits = 0) => number(value) ? value.toLocaleString('en', { maximumFractionDigits: digits }) : '';
const bare = (database, threads) =>
  found('FreshClaim.owned', { database, threads, contender: 'BARE' }).map(row => row.score)[0];

function element(parent, tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function section(title, howToRead) {
  const made = element(document.getElementById('report'), 'section');
  element(made, 'h2', title);
  element(made, 'p', howToRead);
  return element(made, 'div', undefined, 'charts');
}

const style = getComputedStyle(document.documentElement);
Chart.defaults.color = style.getPropertyValue('--soft');
Chart.defaults.borderColor = style.getPropertyValue('--line');
Chart.defaults.animation = false;

function chart(parent, title, type, labels, datasets, xTitle, yTitle, logarithmic) {
  const canvas = element(element(parent, 'div', undefined, 'chart'), 'canvas');
  new Chart(canvas, {
    type,
    data: { labels, datasets },
    options: {
      maintainAspectRatio: false,
      plugins: {
        title: { display: true, text: title },
        legend: { display: datasets.length > 1, position: 'bottom', labels: { boxWidth: 10 } }
      },
      scales: {
        x: { title: { display: Boolean(xTitle), text: xTitle } },
        y: { title: { display: true, text: yTitle }, beginAtZero: true, type: logarithmic ? 'logarithmic' : 'linear' }
      }
    }
  });
}

/** One bar for each contender, in its colour. */
function bars(parent, title, shown, value, yTitle) {
  chart(parent, title, 'bar', shown.map(row => row.label || NAMES[row.contender]), [{
    data: shown.map(value), backgroundColor: shown.map(row => COLOURS[row.contender])
  }], '', yTitle);
}

/** One line for each contender. */
function lines(parent, title, shown, at, value, xTitle, yTitle) {
  const xs = [...new Set(shown.map(at))].sort((a, b) => a - b);
  const contenders = [...new Set(shown.map(row => row.contender))];
  chart(parent, title, 'line', xs, contenders.map(contender => ({
    label: NAMES[contender], borderColor: COLOURS[contender], backgroundColor: COLOURS[contender], tension: 0,
    data: xs.map(x => {
      const row = shown.find(other => other.contender === contender && at(other) === x);
      return row ? value(row) : null;
    })
  })), xTitle, yTitle);
}

function fresh() {
  if (!databases.some(database => bare(database, 1))) return;
  const charts = section('First delivery, one thread',
    'Claim, one UPDATE and the commit, in relation to the UPDATE and the commit alone (1.0). Lower is better; what is '
    + 'above 1.0 is the price of protection. On SQLite, Eventuate Tram and Spring Integration do not run, and Camel does '
    + 'with one thread only.');
  for (const database of databases.filter(known => bare(known, 1))) {
    bars(charts, database, found('FreshClaim.owned', { database, threads: 1 }),
      row => row.score / bare(database, 1), '× bare transaction');
  }
}

function duplicates() {
  const shown = database => ['unmarked', 'redelivered', 'conflicting'].flatMap(kind =>
    found('DuplicateClaim.' + kind, { database, threads: 1 }).map(row => ({
      ...row, label: NAMES[row.contender] + (kind === 'unmarked' ? '' : ', ' + kind)
    })));
  const known = databases.filter(database => bare(database, 1) && shown(database).length > 0);
  if (known.length === 0) return;
  const charts = section('Delivered again',
    'A duplicate in relation to the bare transaction of a first delivery. "redelivered": the broker said so. '
    + '"conflicting": the same id with other content, which the others take for a duplicate.');
  for (const database of known) {
    bars(charts, database, shown(database), row => row.score / bare(database, 1), '× bare transaction');
  }
}

function throughput() {
  const shown = database => found('FreshClaim.owned', { database });
  if (!databases.some(database => new Set(shown(database).map(row => row.threads)).size > 1)) return;
  const charts = section('Throughput against threads',
    'First deliveries of different events in a second. Where the lines stop rising, the disk or the cores are busy; more '
    + 'consumers then only wait longer.');
  for (const database of databases) {
    lines(charts, database, shown(database), row => row.threads, row => row.threads / row.score * 1e6, 'threads',
      'events/s');
  }
}

function waits() {
  const all = found('Contention.sameKey');
  if (all.length === 0) return;
  const charts = section('Many consumers, the same event',
    'How long a delivery takes when all threads deliver the same event and the first holds it for a time; half of them '
    + 'take at most the p50, one in a hundred longer than the p99. Errors are what reaches the caller, and the slowest '
    + 'thread\'s share of the mean shows fairness: near 1 nobody starves.');
  for (const database of databases) {
    for (const threads of [...new Set(all.map(row => row.threads))]) {
      const shown = all.filter(row => row.database === database && row.threads === threads
        && row.contender === 'DEDUP_STORE');
      if (shown.length === 0) continue;
      chart(charts, database + ', ' + threads + ' threads', 'bar', shown.map(row => row.params.hold + ' ms'),
        Object.entries(PERCENTILES).map(([p, colour]) => ({
          label: p === '100.0' ? 'max' : 'p' + Number(p), backgroundColor: colour,
          data: shown.map(row => row.percentiles[p] / 1000)
        })), 'the holder holds for', 'ms', true);
    }
  }
  const parent = element(charts.parentElement, 'div', undefined, 'wide');
  table(parent, ['', 'threads', 'hold ms', 'p50 ms', 'p99 ms', 'max ms', 'errors per 1,000', 'retries per 1,000', 'slowest / mean'],
    all.map(row => [row.database + ', ' + NAMES[row.contender], row.threads, row.params.hold,
      show(row.percentiles['50.0'] / 1000, 1), show(row.percentiles['99.0'] / 1000, 1),
      show(row.percentiles['100.0'] / 1000, 1), show(row.extra.errors?.score, 1), show(row.extra.retries?.score, 1),
      show(row.extra.slowest?.score, 2)]));
}

function lockWaits() {
  const all = rows.filter(row => row.name.startsWith('LockWait.'));
  if (all.length === 0) return;
  const charts = section('From the holder\'s end to the waiter\'s answer',
    'How soon a waiting consumer goes on when the holder commits (it is a duplicate) or rolls back (it claims and '
    + 'commits itself), and how long it takes to give up at a bound of 1,000 ms.');
  const parent = element(charts.parentElement, 'div', undefined, 'wide');
  table(parent, ['', 'p50 ms', 'p99 ms', 'max ms'], all.map(row => [
    row.database + ', ' + { holderCommits: 'commits', holderRollsBack: 'rolls back', toTheBound: 'neither: the bound' }[
      row.name.split('.')[1]],
    show(row.percentiles['50.0'] / 1000, 2), show(row.percentiles['99.0'] / 1000, 2),
    show(row.percentiles['100.0'] / 1000, 2)]));
}

function neighbours() {
  const all = rows.filter(row => row.name.startsWith('Neighbours.'));
  if (all.length === 0) return;
  const charts = section('Beside a held key',
    'First deliveries of other events in a second, beside two threads of which one holds a key for 50 ms and the other '
    + 'waits for it, and beside two that hold a key each. The same height means that a held key disturbs only its own '
    + 'event.');
  for (const database of databases) {
    const shown = all.filter(row => row.database === database).map(row => ({
      ...row, label: NAMES[row.contender] + ', ' + (row.extra.neighbour ? 'a held key' : 'other keys'),
      events: (row.extra.neighbour || row.extra.undisturbed).score
    }));
    bars(charts, database, shown, row => row.events, 'events/s');
  }
}

function growth() {
  const all = found('Growth.fresh');
  if (all.length === 0) return;
  const charts = section('Stored claims',
    'A first delivery while so many claims are stored. A flat line means that retention costs disk, not time.');
  for (const database of databases) {
    lines(charts, database, all.filter(row => row.database === database), row => Number(row.params.stored),
      row => row.score, 'stored claims', 'us');
  }
}

function aims() {
  if (targets.length === 0) return;
  const charts = section('Targets', 'What this library sets itself to reach, and what this run gave. A miss by less than '
    + 'the noise of the figures it is made of means as little as a hit by less.');
  const parent = element(charts.parentElement, 'div', undefined, 'wide');
  table(parent, ['', 'measured', 'bound', ''], targets.map(target => [
    target.database + ', ' + target.what, show(target.measured, 2), target.bound, target.met ? 'met' : 'missed']));
}

function roundTrips() {
  const counted = Object.entries(head.roundTrips);
  if (counted.length === 0) return;
  const charts = section('Round trips',
    'How often a consumer waits for the server: over a network each adds its latency, which a loopback does not show.');
  const parent = element(charts.parentElement, 'div', undefined, 'wide');
  table(parent, ['', 'round trips'], counted.flatMap(([database, counts]) =>
    Object.entries(counts).map(([contender, count]) => [database + ', ' + NAMES[contender], count])));
}

function table(parent, header, body) {
  const made = element(parent, 'table');
  const first = element(element(made, 'thead'), 'tr');
  header.forEach(text => element(first, 'th', text));
  const rest = element(made, 'tbody');
  body.forEach(cells => {
    const row = element(rest, 'tr');
    cells.forEach(cell => element(row, 'td', String(cell)));
  });
}

function figures() {
  const charts = section('All figures',
    '± is half of the 99.9 % confidence interval over all iterations and forks; differences smaller than it mean '
    + 'nothing. "allocated" and "CPU" are the client\'s, for each operation.');
  const parent = element(charts.parentElement, 'div', undefined, 'wide');
  table(parent, ['', 'threads', 'score', '±', 'unit', '× bare', 'allocated B', 'CPU us', 'forks'], rows.map(row => {
    const others = Object.entries(row.params).filter(([key]) => !['database', 'contender', 'payload'].includes(key));
    const limit = bare(row.database, row.threads);
    return [[row.database, row.name, NAMES[row.contender], ...others.map(([key, value]) => key + ' ' + value)].join(', '),
      row.threads, show(row.score, 1), show(row.error, 1), row.unit,
      row.unit === 'us/op' && limit ? show(row.score / limit, 2) : '',
      show(row.extra['gc.alloc.rate.norm']?.score), show(row.extra.cpu?.score), row.forks];
  }));
}

function machine() {
  document.getElementById('made').textContent = head.date + ', profile ' + head.profile + ', arguments: ' + head.command;
  const charts = section('Machine and settings', 'A figure means nothing without them.');
  const list = element(charts.parentElement, 'dl');
  const entry = (name, values) => {
    element(list, 'dt', name);
    element(list, 'dd', Object.entries(values).map(([key, value]) => key + ' ' + value).join(', '));
  };
  entry('client', head.machine);
  Object.entries(head.databases).forEach(([database, settings]) => entry(database, settings));
}

aims();
fresh();
duplicates();
throughput();
waits();
lockWaits();
neighbours();
growth();
roundTrips();
figures();
machine();
