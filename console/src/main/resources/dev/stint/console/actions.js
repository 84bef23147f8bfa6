// The actions on a Job, each with a confirmation.

import { send } from "./api.js";
import { h, setText, toast } from "./dom.js";
import { count, number } from "./format.js";

/**
 * Asks for confirmation in a dialog.
 *
 * @param question {title, body, yes, danger, fields}
 * @param act performs the action; the dialog shows its error
 */
function confirm(question, act) {
  const fault = h("p", { class: "fault", role: "alert" });
  const yes = h(
    "button",
    { type: "submit", class: question.danger ? "danger" : "primary" },
    question.yes,
  );
  const no = h("button", { type: "button", onclick: () => dialog.close() }, "Not now");
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "question" }, question.title),
    ...question.body.map((line) => h("p", {}, line)),
    ...(question.fields ?? []),
    fault,
    h("div", { class: "buttons" }, no, yes),
  );
  const dialog = h("dialog", { "aria-labelledby": "question" }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    yes.disabled = true;
    setText(fault, "");
    try {
      await act(new FormData(form));
      dialog.close();
    } catch (refused) {
      setText(fault, refused.message);
      yes.disabled = false;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const pods = (job) => count(job.active, "pod", "pods");

/** The buttons for a Job; show() updates them. */
export function actions(path) {
  let job = null;
  const post = async (verb, more) => {
    const done = await send("POST", `jobs/${path}/${verb}`, { uid: job.uid, ...more });
    toast(done.message);
    return done;
  };

  const suspend = () =>
    confirm(
      {
        title: `Suspend ${job.name}?`,
        body: [
          job.active
            ? `Its ${pods(job)} will be stopped, and start again when the Job is resumed.`
            : "No pods start until it is resumed.",
          "Its successes are kept.",
        ],
        yes: "Suspend",
      },
      () => post("suspend"),
    );
  const resume = () =>
    confirm(
      {
        title: `Resume ${job.name}?`,
        body: ["Its pods start again, as many at once as its parallelism allows."],
        yes: "Resume",
      },
      () => post("resume"),
    );
  const cancel = () => {
    const reason = h("input", { name: "reason", autocomplete: "off", maxlength: 200 });
    confirm(
      {
        title: `Cancel ${job.name}?`,
        body: [
          `${job.active ? `Its ${pods(job)} will be stopped, and the` : "The"} Job fails with the reason Cancelled. This cannot be undone; a new Job can rerun what has not succeeded.`,
        ],
        yes: "Cancel the Job",
        danger: true,
        fields: [h("label", { class: "field" }, "Reason (optional)", reason)],
      },
      (form) => post("cancel", { reason: form.get("reason") }),
    );
  };
  const remove = () =>
    confirm(
      {
        title: `Delete ${job.name}?`,
        body: [
          job.active
            ? `Its ${pods(job)} will be stopped, and the Job and its pods are deleted.`
            : "The Job and its pods are deleted.",
          "Its logs are kept for as long as those of other Jobs.",
        ],
        yes: "Delete the Job",
        danger: true,
      },
      () => post("delete"),
    );
  const rerun = () => {
    const can = job.actions;
    const list = h("input", {
      name: "indexes",
      placeholder: "3,7-9",
      autocomplete: "off",
      "aria-label": "Indexes to rerun",
      oninput: () => (some.checked = true),
    });
    const open = h("input", { type: "radio", name: "which", value: "open", checked: true });
    const some = h("input", { type: "radio", name: "which", value: "some" });
    open.setAttribute("value", "open");
    some.setAttribute("value", "some");
    confirm(
      {
        title: `Rerun indexes of ${job.name}?`,
        body: [
          `A new Job runs them with the same JOB_COMPLETION_INDEX and keeps the other successes.`,
        ],
        yes: "Rerun",
        fields: [
          h(
            "fieldset",
            {},
            h("legend", {}, "Which"),
            h(
              "label",
              {},
              open,
              ` The ${can.rerunCount === 1 ? "one" : number(can.rerunCount ?? 0)} that did not succeed`,
              h("small", {}, can.rerunIndexes ?? ""),
            ),
            h("label", {}, some, " These: ", list),
          ),
          h(
            "label",
            { class: "field" },
            "Name of the new Job (optional)",
            h("input", {
              name: "name",
              autocomplete: "off",
              placeholder: `${job.name.replace(/-rerun-\d+$/, "")}-rerun-1`,
            }),
          ),
        ],
      },
      async (form) => {
        const done = await post("rerun", {
          indexes: form.get("which") === "some" ? form.get("indexes") : "",
          name: form.get("name"),
        });
        document.dispatchEvent(
          new CustomEvent("go", {
            detail: `/console/jobs/${path.split("/")[0]}/${encodeURIComponent(done.name)}`,
          }),
        );
      },
    );
  };

  const buttons = [
    ["resume", h("button", { type: "button", class: "primary", onclick: resume }, "Resume…")],
    ["rerun", h("button", { type: "button", onclick: rerun }, "Rerun…")],
    ["suspend", h("button", { type: "button", onclick: suspend }, "Suspend…")],
    ["cancel", h("button", { type: "button", class: "danger", onclick: cancel }, "Cancel…")],
    ["delete", h("button", { type: "button", class: "danger", onclick: remove }, "Delete…")],
  ];
  const element = h(
    "div",
    { class: "actions", role: "group", "aria-label": "Actions" },
    ...buttons.map(([, button]) => button),
  );
  return {
    element,
    show(current) {
      job = current;
      for (const [name, button] of buttons) {
        button.hidden = current.actions[name] !== "";
      }
    },
    hide: (hidden) => (element.hidden = hidden),
  };
}
