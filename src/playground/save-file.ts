import { make } from './dom.ts';

/** Has the browser download a file, named after its kind and the local time: `vivarium-2026-11-21-2140.ndjson`. @returns how large it is, in words */
export function saveFile(blob: Blob, kind: string): string {
  const address = URL.createObjectURL(blob);
  make('a', { href: address, download: `${kind}-${stampOf(new Date())}.ndjson` }).click();
  // By then the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return sizeOf(blob.size);
}

function stampOf(now: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}`;
}

export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
}
