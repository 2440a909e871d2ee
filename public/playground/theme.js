// The theme that was chosen (src/playground/theme.ts), before anything is drawn: a page that changes afterwards flashes.
try {
  document.documentElement.dataset.theme = localStorage.getItem('vivarium.playground.theme') ?? '';
} catch {
  // Storage is refused: nothing was chosen.
}
