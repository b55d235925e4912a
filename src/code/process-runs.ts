/** What all runs of code of a process share, whatever tool they belong to. */

import { GuessWatch } from "./guess-watch.js";
import { RunPlaces } from "./run-places.js";

/** Two runs with the default memory at once, more with less memory: hostile code fills all that it is allowed. */
export const processRuns: RunPlaces = new RunPlaces({ maxBytes: 330_000_000, maxRuns: 8, maxWaiting: 200 });

export const processGuesses: GuessWatch = new GuessWatch();
