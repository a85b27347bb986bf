// Classic script: module scripts do not load from file://, where an offline copy is read.
(function () {
  "use strict";
  var here = document.currentScript.src;
  if (location.protocol !== "file:") {
    import(new URL("main.js", here).href);
    return;
  }
  // What needs modules is hidden by this class.
  document.documentElement.classList.add("fb-offline");
  // Offline there is no server that answers a folder with its index page.
  document.addEventListener("click", function (event) {
    var link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!link || link.protocol !== "file:" || !link.pathname.endsWith("/")) return;
    link.pathname += "index.html";
  });
})();
