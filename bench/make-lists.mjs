// Lists of records as APIs answer them, made from a seed: orders, issues, customers, products, posts in wrappers, wide records, a map, an outline.

const words =
  "account action adapter archive balance batch branch buffer button cache carrier catalog charge client cloud column config contract counter coupon crash cursor dashboard default deploy design detail device digest discount driver editor email engine error event export factor failure feature field filter folder format forward gateway group handler header history image import index input invoice journal kernel label layer ledger limit listener local lock manual margin market memory merge message metric mobile module monitor network notice number object offset option order output owner package panel parser partner payment pending period policy portal preview price process product profile project prompt provider queue quota range rate record refund region release remote render report request reset result return review rollback route sample schedule schema search section sensor server session setting shipment signal source stack status storage stream summary support switch system table target template terminal ticket timeout token total tracker transfer trigger update upload usage user value vendor version viewer volume warning webhook widget window worker workflow".split(
    " ",
  );
const givenNames =
  "Ada Bo Cleo Dara Emil Fia Gus Hana Ivo Juno Kai Lena Milo Nora Otis Pia Quin Rosa Sami Tove Uma Vito Wren Yara Zeno".split(
    " ",
  );
const familyNames =
  "Abel Brandt Castro Dahl Engel Falk Garde Holm Ibsen Jansen Kowal Lund Moreau Novak Okafor Pires Quist Rossi Sato Tanaka Ullman Varga Weiss Yilmaz Zeller".split(
    " ",
  );
const cities =
  "Aarhus Bergen Cork Delft Essen Faro Ghent Haarlem Izmir Jena Krakow Lyon Malmo Nice Oulu Porto Riga Split Turin Utrecht Vaasa York".split(
    " ",
  );

export function createMaker(seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (from, to) => from + Math.floor(random() * (to - from + 1));
  const one = (list) => list[whole(0, list.length - 1)];
  const hex = (length) => Array.from({ length }, () => "0123456789abcdef"[whole(0, 15)]).join("");
  const text = (count) => Array.from({ length: count }, () => one(words)).join(" ");
  const sentence = (from, to) => {
    const said = text(whole(from, to));
    return `${said[0].toUpperCase()}${said.slice(1)}.`;
  };
  const prose = (from, to) =>
    Array.from({ length: whole(from, to) }, () => sentence(6, 16)).join(" ");
  const time = () =>
    new Date(1.69e12 + Math.floor(random() * 6e10)).toISOString().replace(/\.\d+/, "");
  const person = () => ({ given: one(givenNames), family: one(familyNames) });
  return {
    random,
    whole,
    one,
    hex,
    text,
    sentence,
    prose,
    time,
    person,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}

const api = "https://api.example.test/v1";

function makeOrder(m, index) {
  const buyer = m.person();
  return {
    id: m.uuid(),
    object: "order",
    number: `SO-${10400 + index}`,
    status: m.one(["pending", "paid", "shipped", "cancelled", "refunded"]),
    currency: "EUR",
    total: (m.random() * 900 + 5).toFixed(2),
    item_count: m.whole(1, 9),
    created_at: m.time(),
    updated_at: m.time(),
    customer: {
      id: `cus_${m.hex(14)}`,
      name: `${buyer.given} ${buyer.family}`,
      email: `${buyer.given}.${buyer.family}@mail.example.test`.toLowerCase(),
      url: `${api}/customers/${m.hex(14)}`,
    },
    shipping_address: {
      line1: `${m.whole(1, 99)} ${m.one(familyNames)} Street`,
      line2: null,
      city: m.one(cities),
      country: m.one(["DE", "FR", "NL", "PT"]),
      postal_code: String(m.whole(10000, 99999)),
    },
    lines: Array.from({ length: m.whole(1, 4) }, () => ({
      sku: `SKU-${m.whole(100, 999)}`,
      title: m.text(3),
      quantity: m.whole(1, 4),
      price: m.whole(100, 9000) / 100,
    })),
    notes: m.random() < 0.5 ? null : m.prose(1, 3),
    tags: m.random() < 0.6 ? [] : [m.one(words), m.one(words)],
    metadata: {},
    cancelled_at: null,
    links: {
      self: `${api}/orders/${m.hex(24)}`,
      invoice: `${api}/orders/${m.hex(24)}/invoice.pdf`,
      events: `${api}/orders/${m.hex(24)}/events`,
    },
  };
}

function makeIssue(m, index) {
  const login = `${m.one(givenNames)}${m.one(familyNames)}`.toLowerCase();
  const url = `${api}/repos/acme/widgets/issues/${3000 - index}`;
  return {
    url,
    repository_url: `${api}/repos/acme/widgets`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: `https://example.test/acme/widgets/issues/${3000 - index}`,
    id: 1_500_000_000 + m.whole(0, 9e8),
    node_id: `I_kwDO${m.hex(16)}`,
    number: 3000 - index,
    title: m.sentence(4, 9).slice(0, -1),
    user: {
      login,
      id: m.whole(1000, 9_000_000),
      avatar_url: `https://avatars.example.test/u/${m.whole(1, 9e6)}?v=4`,
      url: `${api}/users/${login}`,
      type: "User",
      site_admin: false,
    },
    labels: Array.from({ length: m.whole(0, 3) }, () => ({
      id: m.whole(1e6, 9e6),
      name: m.one(["bug", "docs", "p1", "p2", "ui", "help wanted"]),
      color: m.hex(6),
      description: m.sentence(3, 6),
    })),
    state: m.one(["open", "open", "closed"]),
    locked: m.random() < 0.05,
    assignee:
      m.random() < 0.6
        ? null
        : {
            login: `${m.one(givenNames)}${m.whole(1, 99)}`.toLowerCase(),
            id: m.whole(1000, 9e6),
            url: `${api}/users/x`,
          },
    milestone: null,
    comments: m.whole(0, 60),
    created_at: m.time(),
    updated_at: m.time(),
    closed_at: null,
    author_association: m.one(["NONE", "MEMBER", "CONTRIBUTOR"]),
    reactions: {
      url: `${url}/reactions`,
      total_count: m.whole(0, 9),
      "+1": m.whole(0, 9),
      "-1": 0,
      laugh: 0,
      heart: m.whole(0, 3),
    },
    body: m.prose(4, 20),
  };
}

function makeCustomer(m, index) {
  const { given, family } = m.person();
  return {
    id: `cus_${m.hex(14)}`,
    object: "customer",
    created: 1_690_000_000 + m.whole(0, 6e7),
    livemode: false,
    name: `${given} ${family} ${index}`,
    email: `${given}.${family}${index}@mail.example.test`.toLowerCase(),
    phone: m.random() < 0.4 ? null : `+49 ${m.whole(100, 999)} ${m.whole(10000, 99999)}`,
    balance: m.whole(-5000, 9000),
    currency: m.one(["eur", "usd", "gbp"]),
    delinquent: m.random() < 0.2,
    description: m.prose(1, 4),
    address: {
      city: m.one(cities),
      country: m.one(["DE", "FR", "US"]),
      line1: `${m.whole(1, 99)} ${m.one(familyNames)} Road`,
      line2: null,
      postal_code: String(m.whole(10000, 99999)),
      state: null,
    },
    plan: m.one(["free", "team", "business"]),
    seats: m.whole(1, 250),
    invoice_prefix: m.hex(8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null },
    metadata: { segment: m.one(["a", "b", "c"]), external_ref: m.uuid() },
    preferred_locales: [],
    tax_exempt: "none",
    avatar: `https://cdn.example.test/avatars/${m.hex(32)}.png`,
  };
}

function makeProduct(m, index) {
  return {
    sku: `P-${4000 + index}`,
    name: `${m.text(2)} ${index}`,
    description: m.prose(3, 9),
    html: `<p>${m.prose(2, 5)}</p>`,
    price: m.whole(199, 99900) / 100,
    stock: m.whole(0, 900),
    rating: m.whole(10, 50) / 10,
    review_count: m.whole(0, 4000),
    category: m.one(["tools", "home", "garden", "office", "sport"]),
    brand: m.one(familyNames),
    available: m.random() < 0.8,
    weight_grams: m.whole(20, 20000),
    dimensions: { width: m.whole(1, 90), height: m.whole(1, 90), depth: m.whole(1, 90) },
    images: Array.from({ length: 3 }, () => ({
      src: `https://cdn.example.test/p/${m.hex(24)}.jpg`,
      width: 800,
      height: 600,
      alt: m.text(4),
    })),
    created_at: m.time(),
  };
}

/** A post in a wrapper, with most of its many fields null, false or a link. */
function makePost(m) {
  const id = m.hex(6);
  const data = {};
  for (const name of [
    "approved_at_utc",
    "mod_reason_title",
    "link_flair_css_class",
    "thumbnail_width",
    "author_flair_css_class",
    "content_categories",
    "mod_note",
    "banned_by",
    "removal_reason",
    "view_count",
    "suggested_sort",
  ])
    data[name] = null;
  for (const name of [
    "saved",
    "clicked",
    "hidden",
    "quarantine",
    "is_original_content",
    "is_meta",
    "archived",
    "no_follow",
    "is_crosspostable",
    "pinned",
    "can_gild",
    "media_only",
    "contest_mode",
  ])
    data[name] = false;
  Object.assign(data, {
    subreddit: "widgets",
    selftext: m.random() < 0.5 ? "" : m.prose(3, 14),
    author_fullname: `t2_${m.hex(8)}`,
    title: m.sentence(5, 14).slice(0, -1),
    name: `t3_${id}`,
    upvote_ratio: m.whole(40, 100) / 100,
    subreddit_type: "public",
    ups: m.whole(0, 40_000),
    score: m.whole(0, 40_000),
    domain: m.one(["self.widgets", "i.example.test", "video.example.test"]),
    link_flair_text: m.one(["Question", "News", "Show", null]),
    thumbnail: `https://thumbs.example.test/${m.hex(40)}.jpg`,
    edited: m.random() < 0.2,
    created_utc: 1_690_000_000 + m.whole(0, 6e7),
    over_18: m.random() < 0.1,
    preview: {
      images: [
        {
          source: {
            url: `https://preview.example.test/${m.hex(30)}.jpg?auto=webp&s=${m.hex(40)}`,
            width: 1920,
            height: 1080,
          },
          resolutions: Array.from({ length: 4 }, (_, step) => ({
            url: `https://preview.example.test/${m.hex(30)}.jpg?width=${108 * (step + 1)}&s=${m.hex(40)}`,
            width: 108 * (step + 1),
            height: 60 * (step + 1),
          })),
        },
      ],
      enabled: true,
    },
    stickied: m.random() < 0.05,
    subreddit_id: "t5_2qh0f",
    id,
    author: `${m.one(givenNames)}_${m.whole(10, 999)}`,
    num_comments: m.whole(0, 3000),
    permalink: `/r/widgets/comments/${id}/${m.text(5).replaceAll(" ", "_")}/`,
    url: `https://i.example.test/${m.hex(13)}.jpg`,
    subreddit_subscribers: 1_204_551,
    num_crossposts: m.whole(0, 5),
    is_video: m.random() < 0.3,
    total_awards_received: m.whole(0, 8),
    all_awardings: [],
    gildings: {},
  });
  return { kind: "t3", data };
}

/** A repository with its owner: 60 to 70 fields, half of them links. */
function makeRepository(m, index) {
  const login = `${m.one(words)}-${m.one(["labs", "org", "hq", "dev"])}`;
  const name = `${m.one(words)}-${m.one(words)}-${index}`;
  const url = `${api}/repos/${login}/${name}`;
  const owner = {
    login,
    id: m.whole(1000, 9e7),
    node_id: `MDEy${m.hex(20)}`,
    avatar_url: `https://avatars.example.test/u/${m.whole(1, 9e6)}?v=4`,
    gravatar_id: "",
  };
  for (const part of [
    "followers",
    "following",
    "gists",
    "starred",
    "subscriptions",
    "organizations",
    "repos",
    "events",
    "received_events",
  ])
    owner[`${part}_url`] = `${api}/users/${login}/${part}`;
  Object.assign(owner, { type: m.one(["Organization", "User"]), site_admin: false });
  const repository = {
    id: m.whole(1e6, 9e8),
    node_id: `R_kgDO${m.hex(14)}`,
    name,
    full_name: `${login}/${name}`,
    private: false,
    owner,
    html_url: `https://example.test/${login}/${name}`,
    description: m.sentence(6, 18),
    fork: m.random() < 0.1,
    url,
  };
  for (const part of [
    "forks",
    "keys",
    "collaborators",
    "teams",
    "hooks",
    "issue_events",
    "events",
    "assignees",
    "branches",
    "tags",
    "git_tags",
    "git_refs",
    "trees",
    "statuses",
    "languages",
    "stargazers",
    "contributors",
    "subscribers",
    "commits",
    "comments",
    "contents",
    "compare",
    "merges",
    "archive",
    "downloads",
    "issues",
    "pulls",
    "milestones",
    "labels",
    "releases",
    "deployments",
  ])
    repository[`${part}_url`] = `${url}/${part}{/id}`;
  return Object.assign(repository, {
    created_at: m.time(),
    updated_at: m.time(),
    pushed_at: m.time(),
    homepage: m.random() < 0.5 ? "" : `https://${name}.example.test`,
    size: m.whole(10, 900_000),
    stargazers_count: m.whole(0, 90_000),
    watchers_count: m.whole(0, 90_000),
    language: m.one(["TypeScript", "Go", "Rust", "Python", null]),
    has_issues: true,
    has_wiki: m.random() < 0.5,
    has_pages: m.random() < 0.3,
    forks_count: m.whole(0, 9000),
    mirror_url: null,
    archived: m.random() < 0.1,
    disabled: false,
    open_issues_count: m.whole(0, 900),
    license:
      m.random() < 0.3
        ? null
        : {
            key: "mit",
            name: "MIT License",
            spdx_id: "MIT",
            url: `${api}/licenses/mit`,
            node_id: "MDc6TGljZW5zZTEz",
          },
    topics: Array.from({ length: m.whole(0, 6) }, () => m.one(words)),
    visibility: "public",
    default_branch: m.one(["main", "main", "master", "develop"]),
    score: 1,
  });
}

function makeFeature(m, index) {
  return {
    type: "Feature",
    id: `zone-${index}`,
    properties: {
      name: `${m.one(cities)} ${index}`,
      population: m.whole(100, 900_000),
      kind: m.one(["urban", "rural"]),
      area: m.whole(100, 90_000) / 100,
    },
    geometry: {
      type: "Polygon",
      coordinates: [
        Array.from({ length: m.whole(10, 40) }, () => [
          m.random() * 360 - 180,
          m.random() * 180 - 90,
        ]),
      ],
    },
  };
}

const list = (m, count, make) => Array.from({ length: count }, (_, index) => make(m, index));

/** The bodies: name, value, where its rows are, how a row is labelled, and what is asked of it (all short fields where none is said). */
export function makeLists(seed = 1) {
  const m = createMaker(seed);
  const bodies = [];
  const add = (name, value, rows, label, asked) => bodies.push({ name, value, rows, label, asked });
  for (const count of [60, 120, 250, 400]) {
    add(
      `orders ${count}`,
      { object: "list", has_more: true, total: count * 7, data: list(m, count, makeOrder) },
      "data",
      "number",
      ["status", "total", "item_count", "created_at", "customer.name"],
    );
    add(`issues ${count}`, list(m, count, makeIssue), "", "number", [
      "state",
      "comments",
      "created_at",
      "user.login",
      "title",
    ]);
    add(
      `customers ${count}`,
      { object: "list", url: "/v1/customers", data: list(m, count, makeCustomer) },
      "data",
      "name",
      ["email", "balance", "plan", "seats", "delinquent", "address.city"],
    );
    add(`products ${count}`, { count, products: list(m, count, makeProduct) }, "products", "name", [
      "price",
      "stock",
      "rating",
      "category",
      "available",
    ]);
  }
  for (const count of [25, 100]) {
    add(
      `posts in wrappers ${count}`,
      { kind: "Listing", data: { after: "t3_x", dist: count, children: list(m, count, makePost) } },
      "data.children",
      "data.title",
    );
    add(
      `repositories ${count}`,
      { total_count: 40_213, incomplete_results: false, items: list(m, count, makeRepository) },
      "items",
      "full_name",
    );
  }
  add(
    "nodes with cursors 100",
    {
      data: {
        repository: {
          issues: {
            totalCount: 412,
            edges: list(m, 100, (maker, index) => ({
              cursor: maker.hex(16),
              node: makeIssue(maker, index),
            })),
          },
        },
      },
    },
    "data.repository.issues.edges",
    "node.title",
  );
  add(
    "outline 200",
    { type: "FeatureCollection", features: list(m, 200, makeFeature) },
    "features",
    "properties.name",
  );
  add(
    "map of products 300",
    {
      items: Object.fromEntries(list(m, 300, makeProduct).map((product) => [product.sku, product])),
    },
    "items",
    "name",
  );
  return bodies;
}

/** A list of orders of about so many bytes, to time. */
export function makeLargeBody(bytes, seed = 2) {
  const m = createMaker(seed);
  const some = list(m, 400, makeOrder).map((order) => JSON.stringify(order));
  const data = [];
  for (let length = 0, index = 0; length < bytes; index += 1) {
    data.push(some[index % some.length]);
    length += some[index % some.length].length + 1;
  }
  return `{"object":"list","data":[${data.join(",")}]}`;
}
