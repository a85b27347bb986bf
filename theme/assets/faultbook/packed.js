// @ts-check
/** Files in forms that browsers do not unpack, and the command that does. */

/** First bytes that tell a form, with the name of the form. */
/** @type {[string, number[]][]} */
const MAGIC = [
  ["gz", [0x1f, 0x8b]],
  ["zst", [0x28, 0xb5, 0x2f, 0xfd]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["bz2", [0x42, 0x5a, 0x68]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
];
const MOST_MAGIC = 6;
const TAR = /\.(?:tar(?:\.\w{1,4})?|tgz|tbz2?|txz|tzst)$/i;

const SUFFIX = /\.(?:zstd?|xz|bz2|lz4|zip|7z)$/i;

/** Where the names of the file and of what is in it go. */
const COMMANDS = new Map(
  /** @type {[string, (from: string, to: string) => string][]} */ ([
    ["zst", (from, to) => `zstd -dc ${from} > ${to}`],
    ["xz", (from, to) => `xz -dc ${from} > ${to}`],
    ["bz2", (from, to) => `bzip2 -dc ${from} > ${to}`],
    ["lz4", (from, to) => `lz4 -dc ${from} > ${to}`],
    ["zip", (from, to) => `unzip -d ${to} ${from}`],
    ["7z", (from, to) => `7z x -o${to} ${from}`],
    ["tar", (from, to) => `mkdir -p ${to} && tar -xf ${from} -C ${to}`],
  ]),
);

/** A file that is left out, with what makes it readable. */
export class UnreadableError extends Error {
  /** @param {string} message @param {string} [run] a command */
  constructor(message, run = "") {
    super(message);
    this.run = run;
  }
}

/** @param {string} name @returns {string} as a shell takes it for one word */
const quoted = (name) => {
  const safe = /^-/.test(name) ? `./${name}` : name;
  return /^[\w./+:@%=-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
};

/**
 * @param {{name: string, file: Blob}} named
 * @returns {Promise<boolean>} whether it is gzip, which browsers unpack
 * @throws {UnreadableError} it is packed in another way, or an archive
 */
export async function isGzip({ name, file }) {
  const head = new Uint8Array(await file.slice(0, MOST_MAGIC).arrayBuffer());
  const [kind = ""] = MAGIC.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte)) ?? [];
  const isTar = TAR.test(name);
  const run = COMMANDS.get(isTar ? "tar" : kind);
  if (run) {
    const isArchive = isTar || kind === "zip" || kind === "7z";
    const inner = name.replace(isTar ? TAR : SUFFIX, "");
    // By another name than these programs expect, a file has to come by itself.
    const from = inner === name && !isArchive ? `< ${quoted(name)}` : quoted(name);
    throw new UnreadableError(
      isArchive
        ? "an archive, which browsers cannot unpack. Unpack it and choose the folder:"
        : `packed as ${kind}, which browsers cannot unpack. Unpack it and choose the new file:`,
      run(from, quoted(inner === name ? `${name}.txt` : inner)),
    );
  }
  return kind === "gz";
}
