// Bytes that come in chunks of any size, read by lines and lengths.
import { joinBytes } from '../base/bytes.ts';
import { TransferError } from './transfer-error.ts';

const NEWLINE = 10;

export class ByteSource {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private chunk: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(file: AsyncIterable<Uint8Array>) {
    this.chunks = file[Symbol.asyncIterator]();
  }

  /** The next line with its end, of at most so many bytes. @throws TransferError */
  async line(longest: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length <= longest; ) {
      await this.fill();
      const end = this.chunk.indexOf(NEWLINE, this.at);
      const piece = this.chunk.subarray(this.at, end === -1 ? this.chunk.length : end + 1);
      this.at += piece.length;
      length += piece.length;
      pieces.push(piece);
      if (end !== -1 && length <= longest) return joinBytes(pieces);
    }
    throw new TransferError('damaged export', 'The file is damaged: a line is longer than any that was written.');
  }

  /** Exactly so many bytes. @throws TransferError `truncated export` */
  async take(length: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for (let left = length; left > 0; ) {
      await this.fill();
      const piece = this.chunk.subarray(this.at, this.at + left);
      this.at += piece.length;
      left -= piece.length;
      pieces.push(piece);
    }
    return joinBytes(pieces);
  }

  async isAtEnd(): Promise<boolean> {
    return !(await this.more());
  }

  /** Lets go of what was not read. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private async fill(): Promise<void> {
    if (!(await this.more())) throw new TransferError('truncated export', 'The file ends too early: a part of it is missing.');
  }

  /** Whether there is a byte to read; waits for one. */
  private async more(): Promise<boolean> {
    while (this.at >= this.chunk.length) {
      const next = await this.chunks.next();
      if (next.done === true) return false;
      this.chunk = next.value;
      this.at = 0;
    }
    return true;
  }
}
