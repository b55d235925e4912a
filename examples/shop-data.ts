/** The demo API's data: made, not stored, and the same at every start. */

export interface Customer {
  id: number;
  name: string;
  email: string;
  country: string;
  tier: "free" | "plus" | "enterprise";
  active: boolean;
  created_at: string;
  phone: string | null;
  notes: string;
  url: string;
}

export interface Order {
  id: string;
  number: number;
  customer_id: number;
  status: "pending" | "paid" | "shipped" | "refunded";
  currency: "EUR";
  total: number;
  items: { sku: string; title: string; quantity: number; price: number }[];
  created_at: string;
  shipping_address: { street: string; city: string; postal_code: string; country: string };
  tracking_url: string | null;
  comment: string;
}

/** Numbers that look random and never change (a linear congruential generator, Numerical Recipes' constants). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const words = [
  "Amber",
  "Birch",
  "Cobalt",
  "Delta",
  "Ember",
  "Falcon",
  "Granite",
  "Harbor",
  "Indigo",
  "Juniper",
];
const trades = ["Logistics", "Foods", "Robotics", "Textiles", "Optics", "Paper", "Ceramics"];
const countries = ["DE", "FR", "NL", "SE", "PL", "IT"];
const cities = ["Lindau", "Arles", "Delft", "Lund", "Torun", "Lecce"];
const products = [
  "Desk lamp",
  "Notebook",
  "Steel bottle",
  "Wall clock",
  "Wool blanket",
  "Tea pot",
  "Oak shelf",
];
const remark =
  "Please leave the parcel with the neighbour on the ground floor when nobody opens; the bell has been broken " +
  "since the spring, so knock, and call the number on the label before you take it back to the depot.";

/** Day `index` of a fixed calendar, as an ISO 8601 instant. */
function dayAt(index: number): string {
  return new Date(Date.UTC(2026, 0, 1) + index * 3_600_000 * 9).toISOString();
}

export function makeCustomers(count = 120): Customer[] {
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const name = `${pick(words)} ${pick(trades)} ${index + 1}`;
    return {
      id: 1_000 + index,
      name,
      email: `office@${name.toLowerCase().replaceAll(" ", "-")}.example`,
      country: pick(countries),
      tier: pick(["free", "plus", "enterprise"] as const),
      active: random() > 0.1,
      created_at: dayAt(index),
      phone: random() > 0.5 ? `+49 30 ${Math.floor(random() * 900_000 + 100_000)}` : null,
      notes: random() > 0.7 ? remark : "",
      url: `/customers/${1_000 + index}`,
    };
  });
}

export function makeOrders(customers: readonly Customer[], count = 520): Order[] {
  const random = createRandom(11);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const items = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const product = Math.floor(random() * products.length);
      return {
        sku: `SKU-${100 + product}`,
        title: products[product] as string,
        quantity: 1 + Math.floor(random() * 4),
        price: Math.floor(random() * 9_000 + 990) / 100,
      };
    });
    const place = Math.floor(random() * cities.length);
    return {
      id: `ord_${(index + 36 ** 3).toString(36)}`,
      number: 50_001 + index,
      customer_id: pick(customers).id,
      status: pick(["pending", "paid", "paid", "shipped", "shipped", "refunded"] as const),
      currency: "EUR",
      total:
        Math.round(items.reduce((sum, item) => sum + item.price * item.quantity, 0) * 100) / 100,
      items,
      created_at: dayAt(index),
      shipping_address: {
        street: `${pick(words)} Street ${1 + Math.floor(random() * 90)}`,
        city: cities[place] as string,
        postal_code: String(10_000 + Math.floor(random() * 80_000)),
        country: countries[place] as string,
      },
      tracking_url: random() > 0.5 ? `https://tracking.example/parcels/${index}` : null,
      comment: random() > 0.6 ? remark : "",
    };
  });
}
