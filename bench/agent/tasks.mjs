/**
 * The 25 tasks: 13 questions, whose answer is computed from the fleet, and 12 actions, which are right when the server's state
 * is afterwards exactly what `change` makes of a fresh fleet, with nothing else touched.
 */

import { listStatement } from "./fleet.mjs";

const two = (number) => Math.round(number * 100) / 100;
const sum = (list) => two(list.reduce((total, each) => total + each, 0));
const completed = ({ rides }) => rides.filter(({ status }) => status === "completed");
const most = (list, rank) => list.reduce((best, each) => (rank(each) > rank(best) ? each : best));
const byId = (list, id) => list.find((each) => each.id === id);
const stationNamed = ({ stations }, name) => stations.find((each) => each.name === name);
const tally = (list, key) => {
  const counts = {};
  for (const each of list) counts[key(each)] = (counts[key(each)] ?? 0) + 1;
  return counts;
};
const spent = (fleet) => {
  const totals = new Map();
  for (const { rider_id: id, fare } of completed(fleet))
    totals.set(id, (totals.get(id) ?? 0) + fare.total);
  return most([...totals], ([, total]) => total)[0];
};
const oldestCritical = ({ reports }) =>
  reports
    .filter(({ state, severity }) => state === "open" && severity === "critical")
    .sort((one, other) => one.created_at.localeCompare(other.created_at))[0];

const questions = [
  {
    ask: "How many riders who live in Bergen have the plan annual? Answer with the number.",
    answer: ({ riders }) =>
      riders.filter(({ city, plan }) => city === "Bergen" && plan === "annual").length,
  },
  {
    ask: "What is the sum of fare.total over all completed rides? Answer with the number.",
    answer: (fleet) => sum(completed(fleet).map(({ fare }) => fare.total)),
  },
  {
    ask: 'How many rides are there of each status? Answer with an object such as {"completed": 1}.',
    answer: ({ rides }) => tally(rides, ({ status }) => status),
  },
  {
    ask: "At which station did the most completed rides begin? Answer with its name.",
    answer: (fleet) => {
      const counts = Object.entries(tally(completed(fleet), ({ from_station_id: id }) => id));
      return byId(fleet.stations, most(counts, ([, count]) => count)[0]).name;
    },
  },
  {
    ask: "Which open report of severity critical is the oldest? Answer with its ref, a number.",
    answer: (fleet) => oldestCritical(fleet).ref,
  },
  {
    ask: "How many bikes in maintenance have a battery under 20? Answer with the number.",
    answer: ({ bikes }) =>
      bikes.filter(({ state, battery }) => state === "maintenance" && battery < 20).length,
  },
  {
    ask: "Which active station has the most free docks (capacity less docked)? Answer with its name.",
    answer: ({ stations }) =>
      most(
        stations.filter(({ active }) => active),
        ({ capacity, docked }) => capacity - docked,
      ).name,
  },
  {
    ask: "What did the stations of Trondheim bring net in February 2026, by the monthly statement? Answer with the number.",
    answer: (fleet) =>
      sum(
        listStatement(fleet, "2026-02")
          .filter(({ city }) => city === "Trondheim")
          .map(({ net }) => net),
      ),
  },
  {
    ask: "Which rider made the completed ride with the highest fare.total? Answer with the rider's email.",
    answer: (fleet) =>
      byId(fleet.riders, most(completed(fleet), ({ fare }) => fare.total).rider_id).email,
  },
  {
    ask: "In how many reports do both words, brake and chain, stand? Answer with the number.",
    answer: ({ reports }) =>
      reports.filter(({ text }) => /brake/i.test(text) && /chain/i.test(text)).length,
  },
  {
    ask: "What is the average satisfaction score of the closed reports that have one, to two decimals? Answer with the number.",
    answer: ({ reports }) => {
      const scores = reports.flatMap(({ satisfaction }) =>
        satisfaction ? [satisfaction.score] : [],
      );
      return two(sum(scores) / scores.length);
    },
  },
  {
    ask: "Which rider has spent the most on completed rides (fare.total) in all? Answer with the rider's name.",
    answer: (fleet) => byId(fleet.riders, spent(fleet)).name,
  },
  {
    ask: "Which rides had an incident of the kind theft? Answer with an array of their numbers (R-2026-…).",
    answer: ({ rides }) =>
      rides.filter(({ incident }) => incident?.kind === "theft").map(({ number }) => number),
  },
];

/** Tasks that name a record do so by what a person would know of it, taken from the fleet. */
function listActions(fleet) {
  const broken = completed(fleet)[1402];
  const reserved = fleet.rides.filter(({ status }) => status === "reserved")[3];
  const late = completed(fleet)[700];
  const namesakes = tally(fleet.riders, ({ name }) => name);
  const moving = fleet.riders.find(
    ({ name, plan, city }) => namesakes[name] > 2 && plan === "single" && city === "Oslo",
  );
  const double = fleet.reports.find(
    ({ state, severity }) => state === "open" && severity === "high",
  );
  const original = fleet.reports.find(
    ({ state, bike_id: bike }) => state === "waiting" && bike !== double.bike_id,
  );
  const market = stationNamed(fleet, "Tromsø Market");
  const february = completed(fleet).filter(({ started_at: at }) => at.startsWith("2026-02"));
  const dearest = most(february, ({ fare }) => fare.total);
  const tower = stationNamed(fleet, "Oslo Tower");
  return [
    {
      ask: `Refund the ride ${broken.number} in full, with the reason "bike broken".`,
      change: ({ rides }) => {
        const ride = byId(rides, broken.id);
        ride.fare.refunded = ride.fare.total;
        ride.refund_reason = "bike broken";
      },
    },
    {
      ask: `Cancel the reserved ride of the rider with the email ${byId(fleet.riders, reserved.rider_id).email}.`,
      change: ({ rides }) => {
        byId(rides, reserved.id).status = "cancelled";
      },
    },
    {
      ask: `Close the report with the ref ${double.ref}: it is a duplicate of the report with the ref ${original.ref}. Set resolution and duplicate_of, too.`,
      change: ({ reports }) =>
        Object.assign(byId(reports, double.id), {
          state: "closed",
          resolution: "duplicate",
          duplicate_of: original.id,
        }),
    },
    {
      ask: "Assign every open critical report about a bike of the model Cargo 2 to kari.",
      change: ({ reports, bikes }) => {
        for (const report of reports) {
          const { state, severity, bike_id: bike } = report;
          const isMeant =
            state === "open" && severity === "critical" && byId(bikes, bike).model === "Cargo 2";
          if (isMeant) report.assignee = "kari";
        }
      },
    },
    {
      ask: "Put every available bike with the firmware 3.1.0 and a battery under 8 into maintenance.",
      change: ({ bikes }) => {
        for (const bike of bikes) {
          const isMeant =
            bike.state === "available" && bike.firmware === "3.1.0" && bike.battery < 8;
          if (isMeant) bike.state = "maintenance";
        }
      },
    },
    {
      ask: `Set the capacity of the station ${market.name} to 32.`,
      change: ({ stations }) =>
        Object.assign(byId(stations, market.id), { capacity: 32, version: 2 }),
    },
    {
      ask: "Start one export of the rides of 2026-03 as csv.",
      change: ({ exports }) => {
        exports.push({
          object: "export",
          id: "ex_1",
          of: "rides",
          format: "csv",
          month: "2026-03",
          state: "queued",
        });
      },
    },
    {
      ask: `Change the plan of ${moving.name} to monthly; the one who lives in Oslo, with the phone ${moving.phone}.`,
      change: ({ riders }) => {
        byId(riders, moving.id).plan = "monthly";
      },
    },
    {
      ask: 'Refund 5 NOK of the completed ride with the highest fare.total that began in February 2026, with the reason "goodwill".',
      change: ({ rides }) => {
        const ride = byId(rides, dearest.id);
        ride.fare.refunded = 5;
        ride.refund_reason = "goodwill";
      },
    },
    {
      ask: "Block every rider of Stavanger whose balance is below -200.",
      change: ({ riders }) => {
        for (const rider of riders)
          if (rider.city === "Stavanger" && rider.balance < -200) rider.blocked = true;
      },
    },
    {
      ask: `Cancel the ride ${late.number}. If it can't be cancelled, give its rider a credit of 10 with the note "too late" instead.`,
      change: ({ credits }) => {
        credits.push({
          object: "credit",
          id: "cr_1",
          rider_id: late.rider_id,
          amount: 10,
          note: "too late",
        });
      },
    },
    {
      ask: `The available bike with the lowest battery at the station ${tower.name} has a flat tyre: write a report about it, severity normal, text "flat tyre".`,
      change: ({ reports, bikes }) => {
        const own = bikes.filter(
          ({ station_id: at, state }) => at === tower.id && state === "available",
        );
        const bike = most(own, ({ battery }) => -battery);
        const said = { bike_id: bike.id, severity: "normal", text: "flat tyre" };
        reports.push({ object: "report", id: `dr_new${reports.length}`, ...said, state: "open" });
      },
    },
  ].map((action) => ({ ...action, ask: `${action.ask} Answer with done.` }));
}

/** The tasks in the order they are played, a question and an action in turn: `{ number, ask, answer? , change? }`. */
export function listTasks(fleet) {
  const actions = listActions(fleet);
  return questions
    .flatMap((question, index) => [question, ...actions.slice(index, index + 1)])
    .map((task, index) => ({ number: index + 1, ...task }));
}

/** What a right answer to a question is, as one line. */
export const describeExpected = (task, fresh) =>
  task.answer === undefined ? "(the server's state)" : JSON.stringify(task.answer(fresh));

/**
 * Whether a task was done: the answer said is the computed one, or the state is the expected one.
 *
 * @param said the answer as text. @param state the server's fleet now. @param fresh a fresh fleet; it is changed.
 */
export function isRight(task, { said, state, fresh }) {
  task.change?.(fresh);
  if (writeSorted(state) !== writeSorted(fresh)) return false;
  return task.answer === undefined || isSame(task.answer(fresh), said);
}

const sortKeys = (_key, value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
const writeSorted = (value) => JSON.stringify(value, sortKeys);

function isSame(expected, said) {
  if (typeof expected === "string")
    return readValue(said, String).trim().toLowerCase() === expected.toLowerCase();
  const value = readValue(said, Number);
  if (typeof expected === "number") return Math.abs(Number(value) - expected) < 0.005;
  if (Array.isArray(expected))
    return (
      Array.isArray(value) && writeSorted([...value].sort()) === writeSorted([...expected].sort())
    );
  return writeSorted(value) === writeSorted(expected);
}

/** The JSON value of an answer; of one that isn't JSON, what `otherwise` makes of its text. */
function readValue(said, otherwise) {
  try {
    const value = JSON.parse(said);
    return otherwise === String ? String(value) : value;
  } catch {
    return otherwise(said);
  }
}
