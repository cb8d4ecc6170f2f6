/** Nothing listens there. A port that a test has closed may be the next one's: its calls would then be counted there. */
export const closedPort = "http://127.0.0.1:9";
