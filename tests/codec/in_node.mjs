// Answers questions about seat-codec.js, one a line, each `[name, ...arguments]` as JSON. Bytes travel in base64.
import { createInterface } from "node:readline";

const codec = await import(process.argv[2]);

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));

const ANSWERS = {
  unpacked: (snapshot, seats) => [...codec.unpacked(bytes(snapshot), seats)],
  changes: (data) => {
    const { seats, codes } = codec.changes(data);
    return [...seats].map((seat, place) => [seat, codes[place]]);
  },
  applied: (codes, data) => {
    const all = Uint8Array.from(codes);
    try {
      codec.apply(all, codec.changes(data));
    } catch (error) {
      if (error instanceof RangeError && !all.every((code, seat) => code === codes[seat])) throw new Error("half done");
      throw error;
    }
    return [...all];
  },
  places: (map) => {
    const { seats, x, y, sections, rows } = codec.places(map);
    return {
      seats,
      x: [...x],
      y: [...y], // NaN becomes null
      sections: sections.map(({ section, first, seats: count }) => [section.label, first, count]),
      rows: rows.map(({ row, section, first }) => [section, row.label, first]),
      numbers: rows.map(({ row }) => Array.from({ length: row.seats }, (_, index) => codec.seatNumber(row, index))),
    };
  },
  states: () => codec.STATES,
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { answer: ANSWERS[name](...given) };
  } catch (error) {
    answer = { error: error.name };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
