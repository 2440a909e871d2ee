/** All that a stream gives. Not by a Response, which hides why a stream fails. (As page/transfer.ts has it: shared, it would be one more file that every page loads.) */
export async function blobOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const reader = stream.getReader();
  const pieces: Blob[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) pieces.push(new Blob([next.value]));
  return new Blob(pieces);
}
