// Solves one challenge with proof.js, given as JSON on standard input, and says the proof.
import { readFileSync } from "node:fs";

const { solved } = await import(process.argv[2]);
const challenge = JSON.parse(readFileSync(0, "utf-8"));
const solution = await solved(challenge.parameters);
process.stdout.write(btoa(JSON.stringify({ challenge, solution })));
