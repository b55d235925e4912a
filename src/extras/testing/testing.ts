/** The door `langchain-api-sources/testing`: an agent is tested without its APIs. */

export type { TransportRecorder, TransportReplay } from "../../core/http/own-transport.js";
export { type RecordOptions, recordTo } from "./record-to.js";
export type { RecordedEntry } from "./recordings.js";
export type { ReplayFault } from "./replay-faults.js";
export { type Replay, replayFrom } from "./replay-from.js";
