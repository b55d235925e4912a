// Bodies in the shapes of well-known APIs, made from a seed: for looking at views of them (`node bench/views.mjs --show NAME`).

import { createMaker } from "./make-lists.mjs";

const hexDigits = "0123456789abcdef";
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const words = "river stone lantern copper maple harbour signal amber orchard velvet quarry meadow".split(" ");

function makeTools(seed) {
  const { random } = createMaker(seed);
  const whole = (limit) => Math.floor(random() * limit);
  const text = (alphabet, length) => Array.from({ length }, () => alphabet[whole(alphabet.length)]).join("");
  const say = (count) => Array.from({ length: count }, () => words[whole(words.length)]).join(" ");
  const rows = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  return { whole, text, say, rows, pick: (items) => items[whole(items.length)] };
}

const day = (index) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);

function makeCandles({ whole, rows }) {
  let price = 60_000;
  return rows(500, (index) => {
    const open = price;
    price += whole(400) - 200;
    const close = price.toFixed(2);
    const volume = (whole(90_000) / 1000).toFixed(5);
    const at = 1_700_000_000_000 + index * 60_000;
    return [
      at,
      open.toFixed(2),
      (price + 50).toFixed(2),
      (price - 50).toFixed(2),
      close,
      volume,
      at + 59_999,
    ];
  });
}

function makeCommits({ whole, text, say, rows, pick }) {
  const api = "https://api.github.com/repos/acme/shop";
  return rows(60, (index) => {
    const sha = text(hexDigits, 40);
    const who = pick(["mira", "jonas", "ada"]);
    const person = {
      name: `${who} holm`,
      email: `${who}.holm@mail.example.com`,
      date: `${day(index)}T09:${10 + whole(49)}:00Z`,
    };
    const account = {
      login: who,
      id: 1000 + who.length,
      node_id: `MDQ6VXNlcj${text(base62, 6)}`,
      avatar_url: `https://avatars.example.com/u/${who}`,
      url: `https://api.github.com/users/${who}`,
      type: "User",
      site_admin: false,
    };
    return {
      sha,
      node_id: `C_kwDO${text(base62, 48)}`,
      commit: {
        author: person,
        committer: person,
        message: `${pick(["Fix", "Add", "Drop"])} ${say(4)}\n\n${say(whole(40))}`,
        tree: { sha: text(hexDigits, 40), url: `${api}/git/trees/${sha}` },
        url: `${api}/git/commits/${sha}`,
        comment_count: 0,
        verification: { verified: false, reason: "unsigned", signature: null, payload: null },
      },
      url: `${api}/commits/${sha}`,
      html_url: `https://github.com/acme/shop/commit/${sha}`,
      comments_url: `${api}/commits/${sha}/comments`,
      author: account,
      committer: account,
      parents: [
        { sha: text(hexDigits, 40), url: `${api}/commits/x`, html_url: "https://github.com/acme/shop" },
      ],
    };
  });
}

function makeRefs({ text, say, rows }) {
  return rows(150, (index) => {
    const ref = `refs/heads/${say(2).replaceAll(" ", "-")}-${index}`;
    const sha = text(hexDigits, 40);
    const url = `https://api.github.com/repos/acme/shop/git/${ref}`;
    return {
      ref,
      node_id: `REF_kwDO${text(base62, 40)}`,
      url,
      object: { sha, type: "commit", url: `${url}/${sha}` },
    };
  });
}

function makeCalendar({ whole, text, say, rows }) {
  const series = rows(4, () => ({ id: text(hexDigits, 26), summary: say(3) }));
  const items = rows(80, (index) => {
    const { id, summary } = series[index % 4];
    const date = day(Math.floor(index / 2));
    const hour = 8 + (index % 4) * 2;
    const person = { email: "mira.holm@example.com", displayName: "Mira Holm" };
    return {
      kind: "calendar#event",
      etag: `"${3_181_161_784_712_000 + whole(1e9)}"`,
      id: `${id}_${date.replaceAll("-", "")}T${10 + hour}0000Z`,
      status: "confirmed",
      htmlLink: `https://www.google.com/calendar/event?eid=${text(base62, 60)}`,
      created: "2024-11-02T08:15:00.000Z",
      updated: `2024-12-${10 + (index % 19)}T10:00:00.000Z`,
      summary,
      creator: person,
      organizer: { ...person, self: true },
      start: { dateTime: `${date}T${String(hour).padStart(2, "0")}:00:00+01:00`, timeZone: "Europe/Oslo" },
      end: { dateTime: `${date}T${String(hour + 1).padStart(2, "0")}:00:00+01:00`, timeZone: "Europe/Oslo" },
      recurringEventId: id,
      originalStartTime: {
        dateTime: `${date}T${String(hour).padStart(2, "0")}:00:00+01:00`,
        timeZone: "Europe/Oslo",
      },
      iCalUID: `${id}@google.com`,
      sequence: 0,
      reminders: { useDefault: true },
      eventType: "default",
    };
  });
  return {
    kind: "calendar#events",
    etag: '"p33o9"',
    summary: "Work",
    timeZone: "Europe/Oslo",
    accessRole: "owner",
    defaultReminders: [{ method: "popup", minutes: 10 }],
    items,
  };
}

function makePrometheus({ whole, rows }) {
  const result = rows(78, (index) => ({
    metric: {
      __name__: "http_requests_total",
      code: ["200", "404", "500"][index % 3],
      handler: `/api/v1/h${index % 13}`,
      instance: `10.0.${index % 6}.7:9090`,
      job: "shop",
      method: index % 2 ? "get" : "post",
    },
    values: rows(12, (step) => [1_700_000_000 + step * 60, String(whole(90_000))]),
  }));
  return { status: "success", data: { resultType: "matrix", result } };
}

function makeInstant({ whole, rows }) {
  const result = rows(120, (index) => ({
    metric: {
      __name__: "up",
      instance: `10.0.${index % 9}.${index}:9100`,
      job: ["node", "shop", "db"][index % 3],
    },
    value: [1_700_000_000.781, String(whole(2))],
  }));
  return { status: "success", data: { resultType: "vector", result } };
}

function makeSitemap({ say, rows }) {
  const url = rows(400, (index) => ({
    loc: `https://www.shop.example.com/products/${say(3).replaceAll(" ", "-")}-${index}`,
    lastmod: "2025-03-01",
    changefreq: "weekly",
    priority: "0.8",
  }));
  return { urlset: { "@xmlns": "http://www.sitemaps.org/schemas/sitemap/0.9", url } };
}

function makeLog({ whole, say, rows }) {
  const lines = rows(1500, (index) => {
    const at = new Date(Date.UTC(2025, 2, 1) + index * 1731).toISOString();
    return `${at} ${["INFO", "DEBUG", "WARN"][whole(3)]} [worker-${whole(8)}] ${say(6)} took ${whole(900)} ms`;
  });
  return `${lines.join("\n")}\n2025-03-01T01:00:00.000Z FATAL [main] out of memory: process exits with 137\n`;
}

function makeSlack({ whole, text, say, rows }) {
  const messages = rows(100, (index) => ({
    type: "message",
    user: `U0${text("ABCDEFGH234567", 9)}`,
    text: `${say(8 + whole(30))}?`,
    ts: `17000${10_000 + index * 37}.${String(whole(1e6)).padStart(6, "0")}`,
    team: "T0123ABCD",
    blocks: [
      {
        type: "rich_text",
        block_id: text(base62, 5),
        elements: [{ type: "rich_text_section", elements: [{ type: "text", text: say(8) }] }],
      },
    ],
  }));
  return {
    ok: true,
    messages,
    has_more: true,
    pin_count: 0,
    response_metadata: { next_cursor: "bmV4dF90czoxNTEyMDg1ODYxMDAwNTQz" },
  };
}

function makeSms({ whole, text, say, rows }) {
  const account = `AC${text(hexDigits, 32)}`;
  const messages = rows(50, (index) => {
    const sid = `SM${text(hexDigits, 32)}`;
    return {
      account_sid: account,
      api_version: "2010-04-01",
      body: say(12),
      date_created: `Fri, 2${index % 9} May 2025 17:18:2${index % 9} +0000`,
      direction: "outbound-api",
      error_code: null,
      error_message: null,
      from: "+12019235161",
      num_media: "0",
      num_segments: "1",
      price: null,
      sid,
      status: ["delivered", "sent", "failed"][whole(3)],
      subresource_uris: { media: `/2010-04-01/Accounts/${account}/Messages/${sid}/Media.json` },
      to: `+1845559${1000 + index}`,
      uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
    };
  });
  return {
    end: 49,
    first_page_uri: `/2010-04-01/Accounts/${account}/Messages.json?PageSize=50`,
    messages,
    page: 0,
    page_size: 50,
  };
}

function makeSheet({ whole, say, rows }) {
  const line = (index) => [
    `R-${index}`,
    say(2),
    day(index),
    String(whole(900)),
    (whole(9e4) / 100).toFixed(2),
    ["paid", "open"][index % 2],
  ];
  return {
    range: "Orders!A1:F300",
    majorDimension: "ROWS",
    values: [["Ref", "Customer", "Date", "Count", "Total", "State"], ...rows(300, line)],
  };
}

function makeColumns({ whole, rows }) {
  const hourly = (scale) => rows(400, () => Math.round(whole(1000) * scale) / 10);
  return {
    latitude: 59.91,
    longitude: 10.75,
    hourly_units: { time: "iso8601", temperature_2m: "°C", rain: "mm", wind_speed_10m: "km/h" },
    hourly: {
      time: rows(400, (index) => `${day(Math.floor(index / 24))}T${String(index % 24).padStart(2, "0")}:00`),
      temperature_2m: hourly(0.3),
      rain: hourly(0.05),
      wind_speed_10m: hourly(0.4),
    },
  };
}

function makeIssues({ whole, text, say, rows, pick }) {
  const issues = rows(50, (index) => {
    const self = `https://acme.atlassian.example/rest/api/2/issue/${10_000 + index}`;
    const person = {
      self: `${self}/user`,
      accountId: text(hexDigits, 24),
      displayName: pick(["Mira Holm", "Jonas Berg", "Ada Lind"]),
      active: true,
      timeZone: "Europe/Oslo",
    };
    return {
      expand: "operations,versionedRepresentations,editmeta,changelog",
      id: String(10_000 + index),
      self,
      key: `SHOP-${index + 1}`,
      fields: {
        summary: say(6),
        status: {
          self: `${self}/status`,
          description: "",
          iconUrl: `${self}/icon.png`,
          name: pick(["To Do", "In Progress", "Done"]),
          id: String(whole(3)),
          statusCategory: { id: 2, key: "new", colorName: "blue-gray", name: "To Do" },
        },
        priority: {
          self: `${self}/priority`,
          iconUrl: `${self}/p.svg`,
          name: pick(["High", "Low"]),
          id: String(whole(3)),
        },
        assignee: person,
        reporter: person,
        created: `${day(index)}T10:00:00.000+0000`,
        description: say(60),
        labels: [pick(["web", "api"]), "team-a"],
        customfield_10010: null,
        customfield_10011: null,
      },
    };
  });
  return { expand: "schema,names", startAt: 0, maxResults: 50, total: 724, issues };
}

const shapes = {
  candlesticks: makeCandles,
  commits: makeCommits,
  "git-refs": makeRefs,
  calendar: makeCalendar,
  prometheus: makePrometheus,
  "prometheus-instant": makeInstant,
  sitemap: makeSitemap,
  log: makeLog,
  slack: makeSlack,
  sms: makeSms,
  sheet: makeSheet,
  weather: makeColumns,
  jira: makeIssues,
};

/** @returns `{ name, value }` of each shape; the same values each time. */
export function listShapes() {
  return Object.entries(shapes).map(([name, make], index) => ({ name, value: make(makeTools(index + 1)) }));
}
