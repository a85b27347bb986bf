// @ts-check
/**
 * Takes out of a text what should not be shared: secrets, users, hosts, addresses, paths.
 *
 * What stands in their place has the same form (an address of the documentation range for
 * an address), so that a masked text still matches the same signatures; and the same value
 * gets the same stand-in, so that one rank's host can be told from another's.
 *
 * All quantifiers are bounded, or their classes exclude what follows: time is linear.
 */

/** @typedef {{kind: string, from: string, to: string}} Masked */

/** Public hosts that say nothing about the reader. */
const PUBLIC =
  /^(?:[\w-]{1,63}\.){0,3}(?:github\.com|githubusercontent\.com|huggingface\.co|hf\.co|pytorch\.org|nvidia\.com|python\.org|pypi\.org|readthedocs\.io|kernel\.org|example\.(?:com|org)|docker\.io|gcr\.io|ghcr\.io|nvcr\.io|quay\.io|amazonaws\.com|googleapis\.com)$/i;

/** What a path keeps: the part inside an installed library, which signatures name. */
const LIBRARY =
  /\/(?:(?:site|dist)-packages|lib\/python3\.\d{1,2})\/[^\s"']{0,300}$|\/(?:torch|vllm|transformers|deepspeed|megatron|flash_attn|triton|ray)\/[^\s"']{0,300}$/;
/** Places of the system, the same on every machine. */
const SYSTEM =
  /^\/(?:dev|proc|sys|bin|sbin|etc|tmp|usr\/(?:bin|lib|local\/cuda[^/]{0,20})|lib|lib64|run|opt\/(?:conda|nvidia|rocm))(?:\/|$)/;

const SECRET = () => "SECRET";

/**
 * @type {{kind: string, find: RegExp, group?: boolean, to: (n: number, value: string) => string | null}[]}
 * `group`: only the last group is replaced, what precedes it stays. Null keeps a value.
 */
const RULES = [
  {
    kind: "secret",
    find: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,8000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g,
    to: SECRET,
  },
  {
    kind: "secret",
    find: /\b(?:hf_[A-Za-z0-9]{16,200}|sk-[\w-]{16,300}|gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{16,255}|glpat-[\w-]{16,100}|(?:AKIA|ASIA)[0-9A-Z]{16}|xox[abprs]-[\w-]{10,200}|AIza[\w-]{30,50}|nvapi-[\w-]{16,200}|dckr_pat_[\w-]{16,100}|pypi-[\w-]{16,300}|eyJ[\w-]{8,4000}\.[\w-]{8,4000}(?:\.[\w-]{0,4000})?)/g,
    to: SECRET,
  },
  { kind: "secret", find: /(\b(?:Bearer|Basic) {1,4})([\w.~+/=-]{8,4000})/g, group: true, to: SECRET },
  {
    kind: "secret",
    find: /((?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|auth[_-]?token|access[_-]?token|token|credential)s?["']?\s{0,4}[=:]\s{0,4}["']?)([^\s"',;&]{6,4000})/gi,
    group: true,
    // A count of tokens is no secret.
    to: (_, value) => (/^[\d.]+$/.test(value) || /^(?:None|null|true|false)$/i.test(value) ? null : "SECRET"),
  },
  { kind: "secret", find: /(:\/\/)([^\s/@:]{1,200}:[^\s/@]{1,200})(?=@)/g, group: true, to: SECRET },
  { kind: "secret", find: /([?&](?:sig|signature|x-amz-[a-z-]{1,40}|x-goog-[a-z-]{1,40}|key)=)([^\s&"']{4,4000})/gi, group: true, to: SECRET },
  {
    kind: "e-mail",
    find: /\b[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}\b/g,
    to: (n) => `user-${n}@example.com`,
  },
  // A shell's prompt, ssh, scp: a user at a host.
  { kind: "user", find: /\b[a-z_][\w.-]{0,31}(?=@[A-Za-z][\w-]{1,62}(?:[\s:~]|$))/gm, to: (n) => `user-${n}` },
  { kind: "host", find: /(\uE001@)([A-Za-z][\w-]{1,62})(?=[\s:~]|$)/gm, group: true, to: (n) => `host-${n}` },
  {
    kind: "user",
    find: /(\b(?:user(?:name)?|owner|login|USER|LOGNAME)["']?\s?[=:]\s?["']?|\bfor user |\buid=\d{1,10}\()([A-Za-z_][\w.-]{0,31})/g,
    group: true,
    to: (n, value) => (/^(?:root|None|null)$/.test(value) ? null : `user-${n}`),
  },
  {
    kind: "host",
    find: /(\b(?!s3:|gs:|az:|abfss?:|hdfs:|wasbs?:|file:)[a-z][a-z0-9+]{1,9}:\/\/(?:\uE000\d{1,7}\uE001@)?)([A-Za-z0-9][A-Za-z0-9.-]{0,250})/g,
    group: true,
    to: (n, value) => (PUBLIC.test(value) || /^(?:localhost|[\d.]+)$/.test(value) ? null : `host-${n}`),
  },
  {
    kind: "path",
    find: /(^|[\s"'`=([{<,:;|>])((?:~|\/[A-Za-z0-9_.@+~-]{1,200})(?:\/[A-Za-z0-9_.@+~{}%-]{1,200}){1,60}\/?)/gm,
    group: true,
    to: (n, value) => {
      if (SYSTEM.test(value) && !LIBRARY.test(value)) return null;
      return `/path-${n}${LIBRARY.exec(value)?.[0] ?? ""}`;
    },
  },
  {
    kind: "path",
    find: /\b[A-Za-z]:\\(?:[^\s\\"':*?<>|]{1,200}\\){0,60}[^\s\\"':*?<>|]{0,200}/g,
    to: (n) => `C:\\path-${n}`,
  },
  { kind: "bucket", find: /(\b(?:s3|gs|az|abfss?|hdfs|wasbs?):\/\/)([^\s"',)]{3,1000})/g, group: true, to: (n) => `bucket-${n}` },
  {
    kind: "address",
    // Four numbers after `==` or the word are a version.
    find: /(?<![\w.]|==|[vV]ersion )(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}(?!\w|\.\d)/g,
    to: (n, value) =>
      /^(?:127\.|0\.0\.0\.0$|255\.|192\.0\.2\.)/.test(value) ? null : `192.0.2.${((n - 1) % 254) + 1}`,
  },
  {
    kind: "address",
    find: /(?<![\w:.])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}){1,7}(?:%\w{1,15})?(?![\w:])/gi,
    // A time of day or a PCI address is none.
    to: (n, value) =>
      /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i.test(value)
        ? `02:00:00:00:00:${(n % 256).toString(16).padStart(2, "0")}`
        : !value.includes("::") && value.split(":").length < 8
          ? null
          : `2001:db8::${n.toString(16)}`,
  },
  {
    kind: "host",
    find: /(?<![\w./@-])(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}(?:internal|local|lan|corp|intra|intranet|cluster|cloud|edu|com|net|org|gov)\b(?!\()/g,
    to: (n, value) => (PUBLIC.test(value) ? null : `host-${n}`),
  },
  {
    kind: "host",
    find: /\bip-\d{1,3}(?:-\d{1,3}){3}\b|\b(?:node|gpu|worker|compute|host|dgx|hgx|cn|gn|nid|slurm|rack)[a-z]{0,12}-?[a-z]{0,12}-?\d{1,6}(?:-\d{1,6}){0,3}\b(?=[\s:,;)\]'"|]|$)/gm,
    // `worker-0` of a data loader and `gpu0` are no names of machines.
    to: (n, value) => (/^(?:gpu|worker|host)[-_ ]?\d{1,2}$/.test(value) ? null : `host-${n}`),
  },
  {
    kind: "host",
    find: /(\b(?:host(?:name)?|nodename|node|server|machine)["']?\s?[=:]\s?["']?)([A-Za-z][A-Za-z0-9.-]{2,250})/gi,
    group: true,
    to: (n, value) => (/^(?:localhost|None|null|host-\d+|true|false)$/i.test(value) ? null : `host-${n}`),
  },
];

/** The most text that is masked at once, in characters. */
const MOST = 400_000;

/** Names that are masked wherever they stand, once something said what they are. */
const MOST_NAMES = 300;
const COMMON = /^(?:root|user|users|admin|ubuntu|train|training|test|none|null|host|node|default|model)$/i;

/** Masks several texts with the same stand-ins for the same values. */
export class Masker {
  constructor() {
    /** @type {Map<string, Masked & {at: number}>} by kind and value */
    this.known = new Map();
    /** @type {Masked[]} in the order in which they were found */
    this.replaced = [];
    /** @type {Map<string, number>} how many values of a kind there are */
    this.counts = new Map();
  }

  /**
   * Have a name masked wherever it stands, for example a node that the log's prefixes name.
   * @param {string} kind
   * @param {string | null | undefined} value
   */
  name(kind, value) {
    if (value && value.length > 2 && !/^\d+$/.test(value)) this.standIn(kind, value, (n) => `${kind}-${n}`);
  }

  /**
   * @param {string} text
   * @returns {string}
   */
  mask(text) {
    // What is replaced becomes a number between two private characters, so that no later
    // rule takes a stand-in for a value.
    let masked = text.slice(0, MOST).replace(/[\uE000\uE001]/g, " ");
    for (const rule of RULES) {
      masked = masked.replace(rule.find, (...found) => {
        const value = rule.group ? found[2] : found[0];
        return (rule.group ? found[1] : "") + this.standIn(rule.kind, value, rule.to);
      });
    }
    const names = this.replaced
      .filter(({ kind, from }) => (kind === "host" || kind === "user") && from.length > 3 && !COMMON.test(from))
      .slice(0, MOST_NAMES);
    if (names.length) {
      const byName = new Map(names.map(({ kind, from }) => [from, kind]));
      const any = names.map(({ from }) => from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
      masked = masked.replace(new RegExp(`(?<![\\w.-])(?:${any})(?![\\w-])`, "g"), (value) =>
        this.standIn(byName.get(value) ?? "host", value, () => null),
      );
    }
    return masked.replace(/\uE000(\d+)\uE001/g, (_, at) => this.replaced[Number(at)].to);
  }

  /**
   * @param {string} kind
   * @param {string} value
   * @param {(n: number, value: string) => string | null} to
   * @returns {string} the number of the stand-in, or the value where it may stay
   */
  standIn(kind, value, to) {
    const key = `${kind} ${value}`;
    let known = this.known.get(key);
    if (!known) {
      const n = (this.counts.get(kind) ?? 0) + 1;
      const made = to(n, value);
      if (made === null) return value;
      this.counts.set(kind, n);
      known = { kind, from: value, to: made, at: this.replaced.length };
      this.known.set(key, known);
      this.replaced.push({ kind, from: value, to: made });
    }
    return `\uE000${known.at}\uE001`;
  }
}

/**
 * @param {string} text
 * @returns {string}
 */
export function mask(text) {
  return new Masker().mask(text);
}
