// What cannot wait for the page's own script.

// The theme that was chosen (src/playground/theme.ts), before anything is drawn: a page that changes afterwards flashes.
try {
  document.documentElement.dataset.theme = localStorage.getItem('vivarium.playground.theme') ?? '';
} catch {
  // Storage is refused: nothing was chosen.
}

// That the script itself did not come, which nobody else could say.
addEventListener(
  'error',
  ({ target }) => {
    // One of an extension's may be kept away, too.
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return;
    const tell = () => {
      const banner = document.getElementById('banner');
      banner.textContent = 'The page could not be loaded completely. Check the connection, then reload.';
      banner.hidden = false;
    };
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', tell);
    else tell();
  },
  true,
);
