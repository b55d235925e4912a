// Starts express-pouchdb, in memory: node pouchdb-process.cjs <node_modules> <port> <config file>
const { createRequire } = require("node:module");
const [, , folder, port, configFile] = process.argv;
const load = createRequire(`${folder}/`);
const express = load("express");
const PouchDb = load("pouchdb");

PouchDb.plugin(load("pouchdb-adapter-memory"));
const app = express();
app.use("/", load("express-pouchdb")(PouchDb.defaults({ adapter: "memory" }), { configPath: configFile }));
app.listen(Number(port), "127.0.0.1");
