// @ts-check
/** Files that were chosen or dropped, folders looked into: the same that the command would read. */

/** @typedef {import("./reading.js").Named} Named */

/** Files of one incident. */
export const MOST_FILES = 20_000;

/** What a name that begins with a dot holds is no log. @param {string} name */
const isHidden = (name) => /(?:^|\/)\./.test(name);

/** @param {Named[]} files @returns {Named[]} in order, the hidden ones of folders left out */
function inOrder(files) {
  const shown = files.length === 1 ? files : files.filter(({ name }) => !isHidden(name));
  return shown.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The folder itself is no part of the names in it, as for the command.
 * @param {FileList | null} list
 * @returns {Named[]}
 */
export function chosenFiles(list) {
  const files = [...(list ?? [])].map((file) => ({
    name: file.webkitRelativePath.replace(/^[^/]*\//, "") || file.name,
    file,
  }));
  return inOrder(files);
}

/**
 * @param {DataTransfer} transfer
 * @returns {Promise<Named[]>}
 * @throws {DOMException} a file went away meanwhile
 */
export async function droppedFiles(transfer) {
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  if (!roots.length) return inOrder([...transfer.files].map((file) => ({ name: file.name, file })));
  /** @type {Named[]} */
  const found = [];
  /** @param {FileSystemEntry} entry @param {string} name */
  const walk = async (entry, name) => {
    if (found.length > MOST_FILES) return;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) =>
        /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
      );
      found.push({ name, file });
      return;
    }
    const lister = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => lister.readEntries(resolve, reject));
      if (!some.length) return;
      for (const each of some) if (!each.name.startsWith(".")) await walk(each, name ? `${name}/${each.name}` : each.name);
    }
  };
  const alone = roots.length === 1 && roots[0].isDirectory;
  for (const root of roots) await walk(root, alone ? "" : root.name);
  return inOrder(found);
}
