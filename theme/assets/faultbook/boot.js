// Classic script: module scripts do not load from file://, where an offline copy is read.
(function () {
  "use strict";
  var here = document.currentScript.src;

  // The theme's own scripts move the table of contents and the header. They measure the
  // whole page at start, so they wait for the first sign that somebody reads it.
  var theme = document.getElementById("fb-theme");
  var signs = ["pointerdown", "pointermove", "keydown", "scroll", "wheel", "touchstart", "focusin"];
  function loadTheme() {
    signs.forEach(function (sign) { removeEventListener(sign, loadTheme, true); });
    var script = document.createElement("script");
    script.src = theme.dataset.src;
    document.body.append(script);
  }
  if (theme) {
    signs.forEach(function (sign) { addEventListener(sign, loadTheme, { capture: true, passive: true }); });
  }
  if (location.protocol !== "file:") {
    import(new URL("main.js", here).href);
    return;
  }
  // What needs modules is hidden by this class.
  document.documentElement.classList.add("fb-offline");
  // Offline there is no server that answers a folder with its index page. Links in drawings
  // are SVG elements, which have no `pathname`.
  document.querySelectorAll("a[href]").forEach(function (link) {
    try {
      var url = new URL(link.getAttribute("href"), document.baseURI);
    } catch (error) {
      return; // an address that leads nowhere
    }
    if (url.protocol !== "file:" || !url.pathname.endsWith("/")) return;
    url.pathname += "index.html";
    link.setAttribute("href", url.href);
  });
})();
