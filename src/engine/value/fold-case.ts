/**
 * Text for comparing without regard to case or compatibility forms: NFKC, full case folding,
 * NFKC again. Upper-casing first folds what lower-casing alone leaves apart, such as ß and ss.
 */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
