// The document of a report, its files, tables of single studies and drawings, from stores made by
// hand.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "base/text.hpp"
#include "reports/agreement_table.hpp"
#include "reports/charts.hpp"
#include "reports/engine_table.hpp"
#include "reports/layout.hpp"
#include "reports/model_table.hpp"
#include "reports/pair_table.hpp"
#include "reports/render.hpp"
#include "study/store.hpp"
#include "tests/study/rows.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/random.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

using brec::ModelKind;
using brec::Protocol;
using nlohmann::ordered_json;
using study::EngineRow;
using study::ModelRow;
using study::Store;
using study::StoreError;

const std::string kTwoFwl(wl::folklore(2).name);

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Reports : public test::WithFiles {
 protected:
  // A basic pair.
  static ModelRow row(int pair, std::uint64_t seed, bool distinguished, double t2 = 1e6) {
    ModelRow r;
    r.run.pair = pair, r.run.seed = seed, r.family = "basic", r.order = 10, r.commit = "c";
    r.run.verdict.distinguished = distinguished, r.run.verdict.reliable = true;
    r.run.verdict.pairs.t2 = t2;
    r.run.losses = {0.5, 0.25}, r.run.epochs = 2;
    return r;
  }
  // 2-FWL tells pair 0 apart and not pair 1.
  static void add_engines(Store& store) {
    store.add(EngineRow{0, kTwoFwl, true, 3});
    store.add(EngineRow{1, kTwoFwl, false, 0});
  }
  static study::Study study(ModelKind model = ModelKind::Et, const std::string& name = "") {
    return {brec::describe(brec::settings_for(Protocol::Published, model)),
            "test pairs",
            "digest",
            "old digest",
            "leman brec <x> & \"y\"",
            name};
  }
  Document document(const std::vector<std::string>& names) const {
    Input input;
    input.command = "leman report", input.machine.processor = "a machine";
    for (const std::string& name : names) input.stores.push_back(path(name));
    input.published = {{"ET (somebody)", {"1", "2", "3", "4±1", "10"}}};
    return build_document(input);
  }
  static const Row& named(const Document& doc, const std::string& title) {
    for (const Row& row : doc.rows)
      if (row.title == title) return row;
    throw UsageError("no row " + title);
  }
  static const Count& count(const Row& row, const std::string& group) {
    return row.counts.at(test::group_named(brec::brec_roster(), group));
  }
  static std::string all(const std::vector<std::string>& sentences) { return join(sentences, "\n"); }
  std::string refusal(const std::vector<std::string>& names) const {
    try {
      document(names);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(Reports, CountsFalsePositivesAndWhatWasNotRun) {
  {
    Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, true)), store.add(row(0, 2, false));
    store.add(row(1, 1, true)), store.add(row(1, 2, false));  // 2-FWL does not: impossible
    store.add(row(2, 1, true));                               // seed 2 did not come to it
  }
  const Document doc = document({"a"});
  const Row &et = named(doc, "ET, published"), &engine = named(doc, "2-FWL");
  EXPECT_EQ(count(engine, "Basic").distinguished, 1.0);
  EXPECT_EQ(engine.cells[0]->round, 3);
  EXPECT_FALSE(engine.cells[2]);
  EXPECT_EQ(count(et, "all").run, 3);
  EXPECT_EQ(et.seeds, 1u);  // only seed 1 ran every pair
  EXPECT_EQ(count(et, "all").distinguished, 3.0);
  EXPECT_TRUE(et.cells[1]->false_positive);
  EXPECT_FALSE(et.cells[0]->false_positive);
  // Pair 2 counts, but 2-FWL was not run on it.
  EXPECT_EQ(et.false_positives, 1u);
  EXPECT_EQ(et.unchecked, 1u);
  EXPECT_TRUE(has(all(doc.verdict), "1 FALSE POSITIVES (1 pairs not checked"));
  EXPECT_TRUE(has(all(doc.not_run), "ET, published: 397 of 400 pairs"));
  EXPECT_TRUE(has(all(doc.not_run), "agreement"));
  EXPECT_TRUE(has(html_page(doc), "<td class=\"fp\">!</td>"));
  EXPECT_TRUE(has(counts_latex(doc), "ET, published & 3 of 3 & -- & -- & -- & 3 of 3")) << counts_latex(doc);
  EXPECT_TRUE(has(counts_latex(doc), "4$\\pm$1"));
  EXPECT_TRUE(has(verdicts_csv(doc), "0,basic,2fwl,2-FWL,1,1,3,,"));
}

// What was not run is never 0.
TEST_F(Reports, NotRunIsNotZero) {
  {
    Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, false)), store.add(row(0, 2, false));
  }
  const Document doc = document({"a"});
  const Row& et = named(doc, "ET, published");
  EXPECT_EQ(count(et, "Basic").distinguished, 0.0);
  EXPECT_EQ(count(et, "CFI").run, 0);
  EXPECT_FALSE(count(et, "CFI").distinguished);
  EXPECT_FALSE(count(et, "CFI").deviation);
  const auto json = ordered_json::parse(document_json(doc));
  const auto& counts = json["rows"][0]["counts"];
  EXPECT_EQ(json["rows"][0]["title"], "ET, published");
  EXPECT_EQ(counts["basic"]["distinguished"], 0.0);
  EXPECT_TRUE(counts["cfi"]["distinguished"].is_null());
  EXPECT_TRUE(has(counts_csv(doc), "model1,\"ET, published\",model,cfi,0,,\n")) << counts_csv(doc);
  EXPECT_TRUE(has(html_page(doc), "<small>not run</small>"));
  EXPECT_TRUE(has(summary_text(doc), "ET, published      0        -          -    -    0")) << summary_text(doc);
}

TEST_F(Reports, MeanOverSeedsAndKnownFalsePositives) {
  {
    Store store(path("a"), study());
    add_engines(store);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) store.add(row(0, seed, true)), store.add(row(1, seed, seed == 2));
  }
  const Document doc = document({"a"});
  const Row& et = named(doc, "ET, published");
  EXPECT_EQ(et.false_positives, 1u);  // a pair, whatever the number of seeds
  EXPECT_EQ(count(et, "basic").distinguished, 1.5);
  EXPECT_NEAR(count(et, "basic").deviation.value(), std::sqrt(0.5), 1e-12);
  EXPECT_TRUE(has(all(doc.verdict), "1 FALSE POSITIVES"));
  EXPECT_EQ(doc.studies.at(0).losses.at(0).median, (std::vector{0.5, 0.25}));
}

// No seed ran every pair: the counts are those of the seed that ran most, of its own pairs.
TEST_F(Reports, SeedsThatRanDifferentPairs) {
  {
    Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, true)), store.add(row(3, 1, true)), store.add(row(4, 1, false));
    store.add(row(1, 2, false)), store.add(row(2, 2, true));
  }
  const Document doc = document({"a"});
  EXPECT_EQ(count(named(doc, "ET, published"), "all").run, 3);
  EXPECT_EQ(count(named(doc, "ET, published"), "all").distinguished, 2.0);
}

// A verdict of one store is the bound of a model in another.
TEST_F(Reports, EnginesOfAnotherStore) {
  {
    Store a(path("a"), study()), b(path("b"), study());
    add_engines(a);
    b.add(row(1, 1, true));
  }
  EXPECT_EQ(named(document({"a", "b"}), "ET, published").false_positives, 1u);
}

TEST_F(Reports, TitlesDiffer) {
  {
    Store a(path("a.sqlite"), study()), b(path("b.sqlite"), study());
    Store c(path("c.sqlite"), study(ModelKind::TorchScript, "mine")),
        d(path("d.sqlite"), study(ModelKind::Gin, "mine"));
    Store e(path("e.sqlite"), study(ModelKind::Embeddings)), f(path("f.sqlite"), study(ModelKind::Gin, "2-FWL"));
    for (Store* store : {&a, &b, &c, &d, &e, &f}) store->add(row(0, 1, true));
    add_engines(a);
  }
  const Document doc = document({"a.sqlite", "b.sqlite", "c.sqlite", "d.sqlite", "e.sqlite", "f.sqlite"});
  std::vector<std::string> titles;
  for (const Row& row : doc.rows) titles.push_back(row.title);
  EXPECT_EQ(titles, (std::vector<std::string>{"mine [d]", "2-FWL [f]", "mine [c]", "embeddings, published",
                                              "ET, published [a]", "ET, published [b]", "2-FWL"}));
  EXPECT_EQ(doc.studies.at(1).title, "ET, published [b]");
  const Document twice = document({"a.sqlite", "a.sqlite"});
  EXPECT_EQ(twice.rows.at(0).title, "ET, published [a]");
  EXPECT_EQ(twice.rows.at(1).title, "ET, published [a] (2)");
}

// Nothing is said about models that were not run.
TEST_F(Reports, SentencesNameTheModelsThatWereRun) {
  {
    Store et(path("et"), study()), gin(path("gin"), study(ModelKind::Gin)), ppgn(path("ppgn"), study(ModelKind::Ppgn));
    for (Store* store : {&et, &gin, &ppgn}) add_engines(*store), store->add(row(0, 1, true));
  }
  const std::string bound = "3-WL (computed as 2-FWL, which has its power) distinguishes 1 of 2 pairs";
  EXPECT_EQ(document({"et", "gin"}).verdict.at(0), bound + ": no Edge Transformer can do more.");
  EXPECT_EQ(document({"gin"}).verdict.at(0), bound + ".");
  EXPECT_EQ(document({"ppgn"}).verdict.at(0), bound + ": no PPGN can do more.");
  EXPECT_FALSE(has(all(document({"gin", "ppgn"}).verdict), "Edge Transformer"));
  EXPECT_TRUE(has(html_page(document({"ppgn"})), "= 3-WL, the bound"));
  EXPECT_FALSE(has(html_page(document({"gin"})), "3-WL, the bound"));
}

TEST_F(Reports, LossesThatAreNaN) {
  {
    Store store(path("a"), study());
    for (int pair = 0; pair < 5; ++pair) {
      ModelRow r = row(pair, 1, true, NAN);
      r.run.losses = {pair < 3 ? NAN : 1.0 * pair};
      store.add(r);
    }
  }
  const Document doc = document({"a"});
  const LossCurve& curve = doc.studies.at(0).losses.at(0);
  EXPECT_EQ(curve.low.at(0), 3.0);  // NaNs are last
  EXPECT_TRUE(std::isnan(curve.high.at(0)));
  EXPECT_TRUE(std::isnan(curve.median.at(0)));
  EXPECT_TRUE(ordered_json::parse(document_json(doc))["studies"][0]["losses"][0]["high"][0].is_null());
  EXPECT_FALSE(has(html_page(doc), "=\"nan"));
}

// An agreement record with one layer; damaged if its depths differ.
study::AgreementRecord agreement(std::size_t depths) {
  study::AgreementRecord record;
  record.model = "float64, 1 layers, width 32", record.source = "all graphs of order 4";
  record.config = et::preset("paper");
  record.tolerance.tokens = {1e-15, 1e-14};
  for (auto& tolerances : record.tolerance.poolings) tolerances = {1e-15, 1e-14};
  proofs::Agreement& all = record.all;
  all.graphs = 11, all.agree = 10;
  all.tokens = {{11, 11, 0, 0, {0, 0.5}}, {11, 10, 1, 0, {1e-16, 1e-15}}};
  all.stable = all.tokens[1];
  for (auto& layers : all.poolings) layers = {{55, 55, 0, 0, {}}, {55, 54, 1, 0, {}}};
  all.reasons["tokens/round/coarser/precision"] = 7;
  all.examples = {{"tokens", "coarser", 1, "C~", "precision", 1e-15, 1e-14, "B?"}};
  record.rows = {{"all 4", false, all}};
  record.rows[0].result.tokens.resize(depths);
  return record;
}

TEST_F(Reports, DamageIsNamed) {
  {
    Store(path("depths"), study()).put(agreement(1));
    Store(path("pair"), study()).add(row(999, 1, true));
    ModelRow cfi = row(0, 1, true);
    cfi.family = "cfi";
    Store(path("family"), study()).add(cfi);
    Store(path("engine"), study()).add(EngineRow{0, "5fwl", true, 1});
    Store(path("round"), study()).add(EngineRow{0, kTwoFwl, true, -1});
    study::Study other = study();
    other.settings = R"({"model": "gpt", "protocol": "sound"})";
    Store(path("model"), other).add(row(0, 1, true));
    other.settings = R"({"kind": "agreement"})";
    Store(path("kind"), other).add(row(0, 1, true));
    other.settings = R"({"model": "et", "protocol": "sound", "level": 2})";
    Store(path("level"), other).add(row(0, 1, true));
  }
  for (const char* name : {"depths", "pair", "family", "engine", "round", "model", "kind", "level"}) {
    EXPECT_THROW(document({name}), StoreError) << name;
    EXPECT_TRUE(refusal({name}).starts_with(path(name) + ": ")) << refusal({name});
  }
}

TEST_F(Reports, StoresThatDoNotFitAreRefused) {
  {
    study::Study other = study();
    other.pairs = "other";
    Store a(path("a"), study()), b(path("b"), other);
    Store c(path("c"), study()), d(path("d"), study());
    c.add(EngineRow{0, kTwoFwl, true, 1});
    d.add(EngineRow{0, kTwoFwl, false, 0});
    study::Study old = study();  // of format 1
    old.pairs.clear();
    Store e(path("e"), old);
    old.legacy_pairs = "another";
    Store f(path("f"), old);
  }
  EXPECT_TRUE(has(refusal({"a", "b"}), "other pairs"));
  EXPECT_TRUE(has(refusal({"c", "d"}), "another store says otherwise"));
  EXPECT_THROW(document({"missing"}), StoreError);
  EXPECT_EQ(document({"e", "a", "e"}).pairs_digest, "digest");
  EXPECT_TRUE(has(refusal({"a", "f"}), "other pairs"));
}

// Whatever a record says stays text.
TEST_F(Reports, TextIsEscaped) {
  const std::string hostile = "<script>alert('1')</script>\"&{{data}}";
  {
    Store store(path("a"), study(ModelKind::Et, hostile));
    add_engines(store);
    store.add(row(0, 1, true));
    store.put(study::ClaimRecord{"id", hostile, hostile, hostile, hostile, hostile, true, ""});
    store.put(study::StepRecord{hostile, hostile, 1});
    store.put(study::KernelTime{10, hostile, 1, {}, 1, 1});
    study::AgreementRecord record = agreement(2);
    record.model = record.source = record.rows[0].family = record.all.examples[0].graphs = hostile;
    store.put(record);
  }
  const Document doc = document({"a"});
  const std::string page = html_page(doc);
  EXPECT_FALSE(has(page, "<script>alert"));
  EXPECT_FALSE(has(page, "alert('1')</script>"));
  EXPECT_FALSE(has(page, "</script>\"&"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert(&apos;1&apos;)&lt;/script&gt;&quot;&amp;{{data}}"));
  EXPECT_TRUE(has(page, "leman brec &lt;x&gt; &amp; &quot;y&quot;"));
  EXPECT_FALSE(has(page, "leman brec <x>"));
  EXPECT_FALSE(has(page, "onsubmit"));
  EXPECT_FALSE(has(script_data(doc), "<"));
  EXPECT_EQ(ordered_json::parse(script_data(doc))["rows"][0]["title"], hostile);
}

TEST_F(Reports, PageHasEverySection) {
  {
    Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, true));
    store.put(study::ClaimRecord{"id", "Lemma 1", "it holds", "leman claims", "holds", "checked", true, "c"});
    store.put(study::KernelTime{10, "portable", 0.5, 1.0, 1, 2});
    store.put(study::KernelTime{20, "portable", 0.5, {}, 1, 2});
    store.put(study::StepRecord{"a step", "leman x", 3});
    store.put(agreement(2));
  }
  const Document doc = document({"a"});
  const std::string page = html_page(doc);
  for (const char* part : {"An Edge Transformer (float64, 1 layers, width 32) agrees with 2-FWL", "Lemma 1",
                           "<td class=\"good\">holds</td>", "kernel portable", "<td class=\"n\">not run</td>", "a step",
                           "all graphs of order 4", "<code>C~</code><br><code>B?</code>", "<td class=\"n\">7</td>",
                           "<td class=\"n\">90.9</td>", "published: ET (somebody)", "--name-width: 16ch",
                           "commit c; 0 CPU seconds", "data-pair=\"399\""})
    EXPECT_TRUE(has(page, part)) << part;
  std::set<std::string> names;
  for (const File& file : render(doc)) names.insert(file.name);
  EXPECT_EQ(names, (std::set<std::string>{"index.html", "report.json", "counts.csv", "verdicts.csv", "agreement.csv",
                                          "counts.tex", "agreement.tex"}));
  EXPECT_TRUE(has(agreement_latex(doc), "float64, 1 layers, width 32 & 11 & 100 & 90.9")) << agreement_latex(doc);
  const auto json = ordered_json::parse(document_json(doc));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"leman", "title", "verdict", "rows", "published", "studies", "agreement",
                                            "claims", "kernels", "steps", "datasets", "runs", "not_run", "source",
                                            "pairs_digest", "families", "controls", "pairs"}));
}

TEST_F(Reports, PairsAreDrawn) {
  { Store store(path("a"), study()); }
  brec::PairSet set;
  brec::Pair pair;
  pair.first = wl::cycle(6), pair.second = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  pair.origin = "by hand";
  set.pairs = {pair};
  Input input;
  input.stores = {path("a")}, input.pairs = &set;
  const Document doc = build_document(input);
  const DrawnPair& drawn = doc.pairs.at(0);
  EXPECT_EQ(drawn.nodes, 6u);
  EXPECT_EQ(drawn.graphs[0].group_order, "12");
  EXPECT_EQ(drawn.graphs[1].group_order, "72");
  EXPECT_EQ(drawn.graphs[0].places.size(), 6u);
  EXPECT_NE(drawn.graphs[0].colors[0], drawn.graphs[1].colors[0]);  // 2-FWL tells them apart
  EXPECT_TRUE(has(script_data(doc), "by hand"));
}

// ---- tables of single studies

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : split(text, '\n')) widest = std::max(widest, width_of(line));
  return widest;
}

TEST_F(Reports, ModelTable) {
  study::ModelResult result;
  result.study = study(ModelKind::TorchScript, "a model with a name that is far too long for a table");
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (int pair = 0; pair < 3; ++pair) result.rows.push_back(row(pair, seed, pair != static_cast<int>(seed % 3)));
  result.engines = {{0, kTwoFwl, true, 1}, {1, kTwoFwl, false, 0}};
  result.published = {
      {"ET (somebody with a rather long name)", {"60±0.0", "50±0.0", "100±0.0", "48.1±1.9", "258.1±1.9"}}};
  const study::ModelSummary summary(result);
  const std::string text = model_text(summary, false), wide = model_text(summary, true);
  EXPECT_LE(widest_line(text.substr(text.find("\n\n"))), 80u) << text;
  EXPECT_TRUE(has(text, "2-FWL = 3-WL (1 not run)")) << text;
  EXPECT_TRUE(has(text, "2.0±0.0        -")) << text;  // other categories were not run
  EXPECT_FALSE(has(text, "0.0±0.0  ")) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex(", seed 1 +2 +- +- +- +2\n"))) << text;
  EXPECT_TRUE(has(text, "published, of all 400 pairs:"));
  EXPECT_FALSE(has(text, "simple-regular"));
  EXPECT_TRUE(has(wide, "simple-regular"));
  EXPECT_TRUE(has(wide, "a name that is far too long for a table, seed 10"));
  EXPECT_TRUE(has(model_csv(summary), "0,1,basic,10,1,1,1,,1000000,")) << model_csv(summary).substr(0, 400);
  const auto json = ordered_json::parse(model_json(summary, "leman brec"));
  EXPECT_EQ(json["command"], "leman brec");
  EXPECT_EQ(json["summary"][0]["categories"]["Basic"], 2);
  EXPECT_EQ(json["rows"][0]["round_of_2fwl"], 1);
  EXPECT_TRUE(json["rows"][0]["false_positive"].is_null());  // no bound is known
}

TEST_F(Reports, EngineTable) {
  brec::Pair a, b;
  a.first = a.second = wl::cycle(6);
  b = a, b.id = 260;
  brec::PairSet set;
  set.source = "pairs", set.roster = brec::brec_roster();
  const wl::Engine& engine = wl::folklore(2);
  std::vector<study::SweepRow> rows{{{&a, &engine}, {true, 1, 1, 4}, 0.5, "", true},
                                    {{&a, &engine}, {}, 0, "", false},  // interrupted
                                    {{&b, &engine}, {}, 0, "too large", false}};
  const std::string text = engine_text(rows, {&engine}, set.roster, false);
  EXPECT_TRUE(has(text, "2-FWL   1 of 1        -          -  refused  1 of 1        2   0.50")) << text;
  EXPECT_TRUE(has(engine_text(rows, {&engine}, set.roster, true), "four-vertex"));
  EXPECT_TRUE(has(engine_csv(rows, set.roster),
                  "0,basic,Basic,6,2fwl,1,1,1,4,0.500000,\n0,basic,Basic,6,2fwl,,,,,0.000000,\n"
                  "260,cfi,CFI,6,2fwl,refused,,,,0.000000,\n"))
      << engine_csv(rows, set.roster);
  const auto json = ordered_json::parse(engine_json(rows, {&engine}, set, "leman brec"));
  EXPECT_EQ(json["summary"]["2fwl"].dump(), R"({"distinguished":1,"run":1,"refused":1})");
  EXPECT_EQ(json["rows"][0]["colours"], 4);
  EXPECT_TRUE(json["rows"][1]["distinguished"].is_null());
  EXPECT_EQ(json["rows"][2]["refused"], "too large");
}

TEST_F(Reports, AgreementTable) {
  study::AgreementResult result;
  result.models = {agreement(2)};
  result.complete = true, result.seconds = 2, result.evaluated = 11;
  const std::string text = agreement_text(result, "all graphs of order 4", 1);
  for (const char* part : {"10 of 11 graphs agree with 2-FWL after every layer", "90.90", "98.18", "C~ -> B?",
                           "2.0 s, 11 graphs evaluated, 6 per second"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_TRUE(has(agreement_csv(result.models), "\"float64, 1 layers, width 32\",all 4,0,tokens,1,11,10,1,0,0.5"));
  EXPECT_TRUE(has(agreement_csv(result.models), ",sum,1,55,54,1,0,,,0.0,\n")) << agreement_csv(result.models);
  const auto json = ordered_json::parse(agreement_json(result, "all graphs of order 4", 1, "leman agree"));
  EXPECT_EQ(json["models"][0]["all"]["agree"], 10);
  EXPECT_EQ(json["evaluated"], 11);
  EXPECT_EQ(percent({1000, 999, 1, 0, {}}, 0), "99");  // rounded down: 100 means all
  EXPECT_EQ(percent({0, 0, 0, 0, {}}, 1), "-");
}

TEST_F(Reports, PairTable) {
  brec::Pair pair;
  pair.first = wl::path(4), pair.second = wl::cycle(4);
  pair.truth = {2, 3, "so it is"};
  EXPECT_EQ(pair_json(pair, brec::brec_roster())["first"]["degrees"], "1^2 2^2");
  EXPECT_EQ(pair_json(pair, brec::brec_roster())["truth"], "equal for 1-FWL, told apart by 3-FWL (so it is)");
  EXPECT_TRUE(has(pair_text(pair, brec::brec_roster()), "degrees      1^2 2^2  2^4\n"))
      << pair_text(pair, brec::brec_roster());
  EXPECT_TRUE(has(pair_list({&pair}, brec::brec_roster()).csv(), "0,basic,Basic,4,3,no,2,3,"));
}

// ---- drawings

TEST_F(Reports, LayoutsAreOnThePageAndRepeat) {
  Rng rng(1);
  for (const wl::Graph& graph : {wl::complete(1), wl::path(2), wl::cycle(7), wl::complete(9), wl::random_tree(60, rng),
                                 wl::disjoint_union(wl::cycle(4), wl::cycle(5)), wl::make_graph(5, {}),
                                 wl::cfi(wl::random_regular(16, 3, rng))}) {
    const auto points = layout(graph), again = layout(graph);
    ASSERT_EQ(points.size(), graph.order());
    std::set<std::pair<int, int>> places;
    for (std::size_t v = 0; v < points.size(); ++v) {
      EXPECT_TRUE(points[v].x >= 0 && points[v].x <= 999 && points[v].y >= 0 && points[v].y <= 999);
      EXPECT_EQ(points[v].x, again[v].x);
      EXPECT_EQ(points[v].y, again[v].y);
      places.emplace(points[v].x, points[v].y);
    }
    EXPECT_EQ(places.size(), points.size());  // no two nodes on one spot
  }
}

// Nodes must not pile up at the border.
TEST_F(Reports, LargeGraphsStayAwayFromTheBorder) {
  Rng rng(7);
  for (const wl::Node base : {10, 14}) {
    int border = 0;
    for (const Point& p : layout(wl::cfi(wl::random_regular(base, 3, rng))))
      border += p.x < 5 || p.x > 994 || p.y < 5 || p.y > 994;
    EXPECT_LE(border, 8) << base;
  }
}

TEST_F(Reports, ChartsTakeWhatCannotBeDrawn) {
  const std::string lines = line_chart("a <b>", {"x", true}, {"y", true},
                                       {{"s", 0, {{0, 1}, {1, 0}, {10, 1e-300}, {100, INFINITY}, {2, 5}}}});
  EXPECT_FALSE(has(lines, "nan"));
  EXPECT_FALSE(has(lines, "inf"));
  EXPECT_TRUE(has(lines, "a &lt;b&gt;"));
  EXPECT_TRUE(has(line_chart("t", {"x"}, {"y"}, {{"s", 0, {{1, 0}, {1, 0}}}}), "<svg"));        // one value
  EXPECT_TRUE(has(line_chart("t", {"x"}, {"y"}, {{"s", 0, {{1, 1e20}, {2, 1e20}}}}), "<svg"));  // no ulp between
  EXPECT_EQ(line_chart("t", {"x"}, {"y"}, {}), "");
  EXPECT_EQ(line_chart("t", {"x"}, {"y"}, {{"s", 0, {{NAN, 1}}}}), "");
  const std::string strips =
      strip_chart("t", "T", {{"a-b", {0, 1, 5e-324, 1e308, INFINITY}, {NAN}}}, 72.34, "threshold");
  EXPECT_FALSE(has(strips, "nan"));
  EXPECT_FALSE(has(strips, "inf"));
}

// The plot makes room for the longest name; what is longer still is cut, and whole in a tooltip.
TEST_F(Reports, NamesOfLinesFit) {
  auto chart = [](const std::string& name) { return line_chart("t", {"x"}, {"y"}, {{name, 0, {{1, 0}, {2, 1}}}}); };
  auto start_of = [](const std::string& svg, const std::string& name) {
    const std::size_t text = svg.rfind("<text x=\"", svg.find(">" + name + "</text>"));
    return std::stod(svg.substr(text + 9));
  };
  for (const std::string name : {"a", "float64, 5 layers, width 32"})
    EXPECT_LE(start_of(chart(name), name) + 6.5 * static_cast<double>(name.size()), 720) << name;
  const std::string endless(100, 'x');
  EXPECT_TRUE(has(chart(endless), "<title>" + endless + "</title>" + std::string(43, 'x') + "…</text>"));
}

}  // namespace
}  // namespace leman::reports
