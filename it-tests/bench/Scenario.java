/** Something to be measured that prints a table. */
interface Scenario {
  String name();

  void run(Bench bench) throws Exception;
}
