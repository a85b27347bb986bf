// The peer of `scripts/bench search`: MiniSearch over the same texts, with its defaults.
// Reads {documents, queries} as JSON from standard input; prints the best ids of each query.
import MiniSearch from "minisearch";

let text = "";
for await (const piece of process.stdin) text += piece;
const { documents, queries, fields } = JSON.parse(text);
const engine = new MiniSearch({ fields });
engine.addAll(documents);
console.log(JSON.stringify(queries.map((query) => engine.search(query).slice(0, 3).map(({ id }) => id))));
