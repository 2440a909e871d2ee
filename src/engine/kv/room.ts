/** Memory for what is kept of blocks, bytes. */
export interface Room {
  used: number;
  limit: number;
}
