/** The business behind the benchmark: a made fleet of rental bikes, the same in every run. */

const cities = ["Bergen", "Oslo", "Stavanger", "Tromsø", "Trondheim"];
const firstNames =
  "Aksel Amalie Birgit Dag Eirik Elin Frode Greta Hanna Ingrid Jonas Kari Lars Marit Nils Oda Petter Ragna Signe Tor".split(
    " ",
  );
const lastNames =
  "Aas Berg Dahl Eide Foss Gran Haugen Iversen Lie Moen Nygaard Olsen Ruud Sande Strand Tangen Vik".split(
    " ",
  );
const places =
  "Harbour Station Market Library Stadium Bridge Theatre Park Hospital University Tower Square Garden Mill Church Ferry".split(
    " ",
  );
const complaints = [
  "The chain jumps off whenever I change down, and my trousers are black now.",
  "Front brake squeals and hardly holds on the hill behind the church, which is dangerous when it rains.",
  "The seat sinks while riding. I stopped four times to pull it up again.",
  "Battery showed 80 % and was empty after ten minutes.",
  "The lock did not close, so the ride went on and on in the app until I called.",
  "Rear light is broken; I rode home in the dark without it.",
  "Somebody painted the basket. It works, but children should not read that.",
  "Flat tyre, and the brake lever is loose.",
];

/** Numbers from 0 up to 1 that are the same in every run (mulberry32). */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const two = (number) => Math.round(number * 100) / 100;
const iso = (ms) => new Date(ms).toISOString().replace(".000", "");
const start = Date.UTC(2026, 0, 1);
const end = Date.UTC(2026, 3, 1);

/** A fresh fleet: stations, bikes, riders, rides, reports, and the (empty) credits and exports. */
export function createFleet() {
  const random = createRandom(20260401);
  const dice = {
    whole: (least, most) => least + Math.floor(random() * (most - least + 1)),
    pick: (list) => list[Math.floor(random() * list.length)],
    chance: (share) => random() < share,
    id: (length) =>
      Array.from(
        { length },
        () => "abcdefghjkmnpqrstuvwxyz23456789"[Math.floor(random() * 31)],
      ).join(""),
  };
  const stations = makeStations(dice);
  const bikes = makeBikes(dice, stations);
  const riders = makeRiders(dice);
  const rides = makeRides(dice, { stations, bikes, riders });
  const reports = makeReports(dice, { bikes, riders });
  return { stations, bikes, riders, rides, reports, credits: [], exports: [] };
}

function makeStations(dice) {
  return Array.from({ length: 80 }, (_, index) => {
    const capacity = dice.whole(8, 30);
    return {
      object: "station",
      code: `${cities[index % 5].slice(0, 3).toUpperCase()}-${100 + index}`,
      id: `st_${dice.id(8)}`,
      name: `${cities[index % 5]} ${places[Math.floor(index / 5)]}`,
      city: cities[index % 5],
      active: !dice.chance(0.12),
      capacity,
      docked: dice.whole(0, capacity),
      position: {
        lat: two(59 + dice.whole(0, 1000) / 100),
        lon: two(5 + dice.whole(0, 1300) / 100),
      },
      payment_terminal: dice.chance(0.3),
      version: 1,
    };
  });
}

function makeBikes(dice, stations) {
  return Array.from({ length: 360 }, (_, index) => {
    const station = dice.pick(stations);
    const state = dice.chance(0.1) ? "maintenance" : dice.chance(0.15) ? "in_use" : "available";
    return {
      object: "bike",
      id: `B-${String(1001 + index * 3)}`,
      frame: `NO${dice.whole(1000000, 9999999)}`,
      model: dice.pick(["City 1", "City 2", "Cargo 2", "Kid 1"]),
      state,
      battery: dice.whole(3, 100),
      firmware: dice.pick(["3.0.4", "3.1.0", "3.1.2", "3.2.0"]),
      station_id: state === "in_use" ? null : station.id,
      odometer_km: two(dice.whole(1000, 900000) / 100),
      last_service: iso(start - dice.whole(1, 200) * 86400000).slice(0, 10),
      livemode: true,
    };
  });
}

function makeRiders(dice) {
  return Array.from({ length: 640 }, (_, index) => {
    const first = dice.pick(firstNames);
    const last = dice.pick(lastNames);
    const city = dice.pick(cities);
    const debt = dice.chance(0.12) ? -dice.whole(100, 26000) / 100 : 0;
    return {
      object: "rider",
      id: 20001 + index * 7,
      name: `${first} ${last}`,
      email: `${first}.${last}.${index}@mail.example`.toLowerCase(),
      phone: `+47 4${dice.whole(1000000, 9999999)}`,
      city,
      plan: dice.pick(["single", "single", "monthly", "annual"]),
      blocked: dice.chance(0.03),
      balance: debt,
      joined_at: iso(start - dice.whole(0, 900) * 86400000),
      marketing: { email: dice.chance(0.5), sms: dice.chance(0.2), push: dice.chance(0.4) },
      avatar: `https://cdn.sykkel.example/avatars/${dice.id(24)}.png`,
      note: dice.chance(0.04)
        ? "Prefers to be called in the evening, after six, and not on Sundays."
        : null,
    };
  });
}

function makeRides(dice, { stations, bikes, riders }) {
  return Array.from({ length: 2600 }, (_, index) => {
    const began = start + Math.floor(((end - start) * index) / 2600);
    const minutes = dice.whole(2, 95);
    const status =
      index > 2560
        ? dice.pick(["active", "reserved"])
        : dice.chance(0.07)
          ? "cancelled"
          : "completed";
    const done = status === "completed";
    const time = done ? two(minutes * 0.29 + dice.whole(0, 99) / 100) : 0;
    const discount = done && dice.chance(0.15) ? two(time * 0.2) : 0;
    return {
      object: "ride",
      livemode: true,
      number: `R-2026-${String(index + 1).padStart(6, "0")}`,
      id: `ride_${dice.id(14)}`,
      rider_id: dice.pick(riders).id,
      bike_id: dice.pick(bikes).id,
      from_station_id: dice.pick(stations).id,
      to_station_id: done ? dice.pick(stations).id : null,
      started_at: iso(began),
      ended_at: done ? iso(began + minutes * 60000) : null,
      minutes: done ? minutes : null,
      status,
      fare: {
        currency: "NOK",
        unlock: done ? 1.5 : 0,
        time,
        discount,
        total: done ? two(1.5 + time - discount) : 0,
        refunded: 0,
      },
      payment: {
        method: dice.pick(["card", "card", "invoice", "wallet"]),
        state: done ? "captured" : "none",
      },
      ...(dice.chance(0.015)
        ? {
            incident: { kind: dice.pick(["fall", "theft", "collision"]), police: dice.chance(0.5) },
          }
        : {}),
      app: { platform: dice.pick(["ios", "android"]), version: "8.4.1", locale: "nb_NO" },
    };
  });
}

function makeReports(dice, { bikes, riders }) {
  return Array.from({ length: 430 }, (_, index) => {
    const state = dice.chance(0.3) ? "open" : dice.chance(0.2) ? "waiting" : "closed";
    return {
      object: "report",
      ref: 7000 + index,
      id: `dr_${dice.id(10)}`,
      bike_id: dice.pick(bikes).id,
      rider_id: dice.pick(riders).id,
      state,
      severity: dice.chance(0.09) ? "critical" : dice.pick(["low", "normal", "normal", "high"]),
      created_at: iso(start + Math.floor(((end - start) * ((index * 173) % 430)) / 430)),
      text: `${dice.pick(complaints)} ${dice.chance(0.3) ? dice.pick(complaints) : ""}`.trim(),
      assignee: dice.chance(0.5) ? dice.pick(["bo", "kari", "mette", "ola"]) : null,
      resolution:
        state === "closed" ? dice.pick(["repaired", "repaired", "no_fault", "duplicate"]) : null,
      duplicate_of: null,
      ...(state === "closed" && dice.chance(0.3)
        ? {
            satisfaction: {
              score: dice.whole(1, 5),
              comment: "Thank you, it went quickly this time.",
            },
          }
        : {}),
    };
  });
}

/** Rows of the monthly statement: for each station what its rides of that month (`2026-03`) brought. */
export function listStatement({ stations, rides }, month) {
  return stations.map((station) => {
    const own = rides.filter(
      ({ from_station_id: from, started_at: at, status }) =>
        from === station.id && at.startsWith(month) && status === "completed",
    );
    const gross = two(own.reduce((sum, { fare }) => sum + fare.total, 0));
    const fees = two(gross * 0.031 + own.length * 0.1);
    return {
      station_code: station.code,
      city: station.city,
      rides: own.length,
      gross,
      fees,
      net: two(gross - fees),
    };
  });
}
