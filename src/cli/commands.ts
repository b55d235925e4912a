/** The function of each command, by its name. */

export { addSource as add } from "./add.js";
export { runCall as call } from "./call.js";
export { removeSource as remove, setSource as set } from "./change.js";
export { printCompletion as completion } from "./completion.js";
export { printRecipes as recipes } from "./description.js";
export {
  listSources as list,
  printSchema as schema,
  printVariables as env,
  showSource as show,
} from "./list.js";
export { printLog as log } from "./log.js";
export { logIn as login, logOut as logout } from "./login.js";
export { inspectCalls as inspect, serveSources as mcp } from "./serve.js";
export { testSources as test } from "./test.js";
