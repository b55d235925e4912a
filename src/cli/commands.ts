/** What each command does. */

export { addSource } from "./add.js";
export { runCall } from "./call.js";
export { removeSource, setSource } from "./change.js";
export { printCompletion } from "./completion.js";
export { printRecipes } from "./description.js";
export { listSources, printSchema, printVariables, showSource } from "./list.js";
export { printLog } from "./log.js";
export { logIn, logOut } from "./login.js";
export { inspectCalls, serveSources } from "./serve.js";
export { testSources } from "./test.js";
