// A button beside every text that is meant to be taken along; without this script the text is selected by hand.
for (const text of document.querySelectorAll("[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn copy";
  button.textContent = "Copy";
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "Selected, copy by keyboard";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2500);
  };
  const frame = document.createElement("div");
  frame.className = "copied";
  text.replaceWith(frame);
  frame.append(text, button);
}
