/** Plays the tasks with a model of LangChain's `initChatModel`, in one conversation; the provider's package and key must be there. */

const rules =
  "You work with an API through the tools you have. Solve each task with as few calls and as little reading as you can; change nothing but what a task asks for. End with a last line of the form ANSWER: and then the answer alone, as JSON.";

/** One message for each task. A task in which the model or its provider fails counts with the answer it failed with. */
export async function playWithModel(session, modelName) {
  const { createAgent, initChatModel } = await import("langchain");
  const { tool } = await import("@langchain/core/tools");
  const model = await initChatModel(modelName);
  const tools = session.tools.map(({ name, description, schema }) =>
    tool((input) => session.call(name, input), { name, description, schema }),
  );
  const agent = createAgent({ model, tools, systemPrompt: rules });
  let messages = [];
  for (const task of session.tasks) {
    session.begin(task);
    const asked = [...messages, { role: "user", content: task.ask }];
    try {
      const played = await agent.invoke({ messages: asked }, { recursionLimit: 100 });
      messages = played.messages;
      session.finish(task, readAnswer(messages.at(-1).text));
    } catch (error) {
      session.finish(task, `(failed: ${error.message})`);
    }
    const { right, calls, characters } = session.results.at(-1);
    console.log(
      `  task ${task.number}: ${right ? "right" : "wrong"}, calls ${calls}, characters ${characters}`,
    );
  }
}

const readAnswer = (text) => (/ANSWER:\s*(?:```\w*\s*)?([^`]*)/.exec(text)?.[1] ?? text).trim();
