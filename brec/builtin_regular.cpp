// Strongly regular, 4-vertex and distance-regular pairs. A recipe names a seed and
// the switches that lead from it to BREC's graph. The graphs, and so the switches,
// are BREC's choice.
#include <array>

#include "brec/builtin.hpp"
#include "wl/constructions/designs.hpp"
#include "wl/constructions/recipe.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/constructions/two_graph.hpp"

namespace leman::brec {

namespace {

struct Recipes {
  std::string_view first, second;
};

// 26X@v: two-graph X on 26 points, descendant at v. 26X^a.b.c: its member
// switched on {a, b, c}. 30:k@v: two-graph k on 30 points, descendant at v.
// 36[switches]@v: 4-set switches from the PG(3,2) two-graph on 36 points, then
// the descendant. Lrows@v: the two-graph of a Latin square graph.
constexpr std::array<Recipes, 50> kStronglyRegular{{
    {"rook", "shrikhande"},
    {"26D@4", "26D@2"},
    {"26B@25", "26D@11"},
    {"26D@12", "26C@1"},
    {"26D@0", "26C@0"},
    {"26D@3", "26A@0"},
    {"26B@2", "26D@5"},
    {"26B@0", "26B@5"},
    {"26D^", "26B^1.2.4.5.6.8.10.11.12.15.18.19.22.23.24.25"},
    {"26D^4.9.11.19.21.23", "26B^2.3.5.7.13.14.16.19.20.21"},
    {"26D^6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25", "26A^2.3.6.9.12.14.15.18.20.21"},
    {"26D^2.7.11.15.16.17", "26C^6.7.8.9.10.11.12.13.14.15.16.17.18.19.20.21.22.23.24.25"},
    {"26D^1.6.11.12.13.14", "26C^"},
    {"chang3", "chang2"},
    {"T8", "chang1"},
    {"30:7@7", "30:2@0"},
    {"paley29", "30:7@18"},
    {"30:7@14", "30:1@9"},
    {"30:1@21", "30:2@9"},
    {"30:7@5", "30:1@27"},
    {"30:6@1", "30:1@18"},
    {"30:5@18", "30:7@1"},
    {"30:7@6", "30:6@0"},
    {"30:6@26", "30:6@11"},
    {"30:7@19", "30:7@0"},
    {"30:7@9", "30:7@13"},
    {"30:7@3", "30:6@28"},
    {"30:7@15", "30:5@9"},
    {"30:5@21", "30:7@2"},
    {"30:7@21", "30:7@17"},
    {"30:2@18", "30:5@0"},
    {"30:7@12", "30:6@24"},
    {"30:1@24", "30:7@4"},
    {"30:2@21", "30:7@8"},
    {"30:6@2", "30:6@25"},
    {"36[0.1.2.35/1 0.1.3.6/0 4.5.7.14/0 9.15.19.23/0]@8", "L324015/213450/032541/145302/450123/501234@3"},
    {"36[0.1.2.35/1 0.1.3.6/0 7.8.9.10/0 19.24.30.33/0]@3",
     "36[0.1.2.35/1 3.7.11.15/0 4.13.29.32/0 5.14.19.25/0 9.12.31.33/0 1.5.13.33/0 1.15.18.24/1 20.22.28.30/0]@15"},
    {"36[0.1.2.35/1 9.17.21.24/0]@3", "36[0.1.2.35/1 3.4.9.10/0 5.6.17.18/0]@7"},
    {"36[0.1.2.35/1 0.1.3.6/0]@4", "36[0.1.2.35/1 0.1.27.28/0 3.4.7.8/0 5.13.29.31/0]@4"},
    {"36[0.1.2.35/1 0.1.27.28/0 3.4.7.8/0 9.17.21.24/0]@6", "36[0.1.2.35/1 3.4.9.10/0 5.11.13.15/0 19.23.28.32/0]@11"},
    {"36[0.1.2.35/1 0.1.3.6/0 9.10.11.12/0 9.11.20.22/0]@2",
     "36[0.1.2.35/1 3.4.9.10/0 5.7.21.24/0 6.11.14.15/0 16.17.27.30/0 15.16.21.28/0 0.4.15.23/0]@0"},
    {"36[0.1.2.35/1 0.1.3.6/0 4.7.27.33/0 8.14.19.20/0]@1",
     "36[0.1.2.35/1 0.1.3.6/0 0.1.27.28/0 9.12.24.26/0 10.18.22.23/0]@2"},
    {"36[0.1.2.35/1 3.4.9.10/0 5.6.15.16/0]@0", "36[0.1.2.35/1 0.1.3.6/0 0.2.3.5/0 7.8.9.10/0]@1"},
    {"36[0.1.2.35/1 0.1.3.6/0 7.8.9.10/0 11.17.20.23/0 21.25.29.33/0]@6",
     "36[0.1.2.35/1 3.7.11.15/0 4.13.29.32/0 5.14.19.25/0 9.12.31.33/0 1.5.13.33/0 16.17.23.26/0 3.5.16.33/0"
     " 20.22.28.30/0 1.3.8.33/1]@1"},
    {"36[0.1.2.35/1 3.4.9.10/0 5.7.21.24/0 6.11.14.15/0 16.17.27.30/0]@5",
     "36[0.1.2.35/1 3.7.11.15/0 4.13.29.32/0 5.14.19.25/0 9.12.31.33/0]@26"},
    {"36[0.1.2.35/1 3.7.11.15/0]@22", "36[0.1.2.35/1 3.4.9.10/0 5.6.17.18/0 7.8.15.16/0]@1"},
    {"36[0.1.2.35/1 0.1.3.6/0 4.5.7.14/0 4.7.27.33/0 9.11.19.21/0]@34",
     "36[0.1.2.35/1 0.1.27.28/0 3.4.7.8/0 4.8.21.23/0]@6"},
    {"36[0.1.2.35/1 3.7.11.15/0 4.13.29.32/0 5.14.19.25/0 9.12.31.33/0 1.5.13.33/0 0.5.7.19/1 7.15.22.31/1"
     " 7.10.18.25/1]@9",
     "36[0.1.2.35/1 0.1.3.6/0 0.1.7.14/0 4.8.29.31/0]@30"},
    {"36[0.1.2.35/1 3.7.11.15/0 4.13.29.32/0 5.14.19.25/0 9.12.31.33/0 1.5.13.33/0 16.17.23.26/0 1.3.13.16/0]@13",
     "36[]@0"},
    {"36[0.1.2.35/1 0.1.3.6/0 4.7.27.33/0 8.14.19.20/0 11.17.29.34/0 8.9.11.35/1 3.8.26.27/1 9.10.27.33/1"
     " 10.14.17.24/1]@27",
     "L124305/032451/210543/345012/453120/501234@12"},
}};

// 15, 19, 23, 25, 16: points of the design (16c: its complement); 19:kind@c is
// a Hadamard design normalised at row 0 and column c.
constexpr std::array<Recipes, 20> kDistanceRegular{{
    {"hexagon", "hexagon-dual"},
    {"15[]", "15[r0.1.3.6]"},
    {"15[r0.1.3.6 r0.1.4.5]", "15[r0.1.3.6 r0.1.4.5 r0.1.7.10]"},
    {"19:paley2@2", "19:circulant@0"},
    {"19:paley2@0", "19:circulant@2"},
    {"19:paley1@1", "19:paley1@0"},
    {"25[r0.10.11.12 c1.9.10.24 r1.16.20.24]", "25[r0.10.11.12 c0.4.5.6 c0.7.8.9]"},
    {"25[r0.10.11.12 c1.9.10.24 r7.11.17.21 r9.10.16.20]", "25[c1.9.10.24 c2.5.17.18 r3.8.16.22 c1.5.8.23]"},
    {"25[c1.9.10.24 c3.8.16.22 c0.4.10.17]", "25[c1.9.10.24 c2.5.17.18 r3.8.16.22 c1.5.8.23]"},
    {"25[c0.16.17.18]", "25[]"},
    {"23[r1.2.3.4 r5.6.9.10 c1.2.17.18 r5.6.7.8]", "23[r1.2.3.4 r5.6.9.10 c13.14.19.20]"},
    {"23[r1.2.3.4 r5.6.9.10 c1.3.18.22 r9.10.15.16]", "23[r1.2.3.4 r1.2.5.6 c1.2.9.10 r3.4.19.20 r5.6.7.8]"},
    {"23[r1.2.3.4 r1.2.5.6 r1.2.7.8 r11.12.19.20 c0.3.8.15 r0.3.18.21 r4.5.7.12]", "23[r1.2.3.4 c1.2.9.10]"},
    {"23[r1.2.3.4 r1.2.5.6 r1.2.9.10 c1.3.18.22]", "23[r1.2.3.4 r5.6.7.8]"},
    {"23[r1.2.3.4 r1.2.5.6 c1.2.9.10 r3.4.13.14 r7.8.21.22]", "23[r1.2.3.4 r1.2.5.6 r1.2.7.8 r11.12.19.20 c1.2.9.10]"},
    {"23[r1.2.3.4 r1.2.5.6 r7.8.15.16 c4.12.19.21]", "23[r1.2.3.4 r5.6.7.8 c9.10.11.12 r13.14.19.20]"},
    {"23[r1.2.3.4 r1.2.5.6 r7.8.15.16 c0.13.17.22 r4.12.19.21]", "23[r1.2.3.4 r1.2.5.6 r1.2.9.10 c9.10.15.16]"},
    {"23[r1.2.3.4 r1.2.5.6 r7.8.13.14]", "23[r1.2.3.4 r1.2.5.6 r7.8.17.18 c3.5.14.18 r7.17.20.22 r9.10.15.16]"},
    {"16[]", "16[r0.1.4.5]"},
    {"16c[]", "16c[r0.1.4.5]"},
}};

// Godsil-McKay switches of the symplectic graph Sp(6,2), points as vectors 1..63.
constexpr std::array<Recipes, 20> kFourVertex{{
    {"6.13.38.45 3.8.35.40 17.20.26.31 5.14.37.46 1.4.10.15 6.13.38.45",
     "20.26.49.63 3.13.38.40 23.25.50.60 8.17.35.58 37.43.50.60"},
    {"18.29.50.61 23.24.55.56 5.10.37.42 9.12.35.38 27.30.49.52 24.29.50.55 3.9.38.44",
     "27.30.49.52 10.15.32.37 5.20.47.62 5.20.42.59"},
    {"21.31.32.42 16.26.37.47 6.12.51.57 20.30.33.43 4.19.38.49", "33.43.52.62 36.46.49.59 39.45.50.56 10.31.45.56"},
    {"24.29.51.54 19.22.56.61 7.30.34.59 9.16.44.53 22.29.51.56", "4.14.17.27 1.11.20.30 7.8.18.29 33.46.52.59"},
    {"11.12.43.44 1.6.33.38 11.14.33.36 1.4.43.46", "26.29.41.46 3.4.48.55 10.20.32.62 15.17.37.59 7.30.45.52"},
    {"27.30.49.52 17.20.59.62 7.8.17.30 34.45.52.59 3.12.35.44", "17.30.52.59 20.27.49.62 19.28.54.57 8.30.34.52"},
    {"37.47.50.56 7.13.16.26 49.52.59.62 1.4.11.14", "22.29.53.62 3.8.32.43 10.15.26.31 1.4.17.20 38.45.51.56"},
    {"48.51.52.55 32.35.36.39 17.22.24.31 1.6.8.15 3.4.19.20", "17.30.52.59 20.27.49.62 5.15.37.47 23.29.50.56"},
    {"10.29.37.50 9.30.38.49 12.27.35.52 3.20.44.59 23.27.52.56 12.27.35.52 18.30.49.61 9.30.38.49",
     "3.14.19.30 4.9.20.25 34.45.50.61 39.40.55.56 10.13.26.29"},
    {"3.5.35.37 1.7.33.39 2.4.34.36 21.27.53.59 16.30.48.62",
     "17.25.50.58 18.26.49.57 20.28.55.63 23.31.52.60 14.28.37.55 5.23.46.60 3.17.40.58"},
    {"8.19.34.57 13.22.39.60 43.46.48.53 1.4.26.31 5.27.42.52 5.30.42.49 8.19.34.57",
     "20.30.52.62 17.27.49.59 5.11.37.43 6.13.38.45"},
    {"3.12.32.47 22.25.53.58 11.14.27.30 1.4.17.20", "17.20.59.62 27.30.49.52 5.15.37.47 19.28.54.57"},
    {"22.28.54.60 19.25.51.57 17.27.52.62 6.12.35.41 7.13.39.45", "42.47.59.62 43.46.58.63 1.4.16.21"},
    {"6.9.54.57 3.12.51.60 19.25.38.44 5.10.53.58 1.11.52.62 3.12.51.60 20.23.40.43",
     "36.47.52.63 33.42.49.58 10.15.17.20 1.4.26.31"},
    {"3.25.40.50 6.28.45.55 23.26.49.60",
     "6.9.54.57 5.10.53.58 17.30.33.46 18.29.34.45 19.25.38.44 1.11.52.62 20.23.40.43"},
    {"4.10.20.26 1.15.17.31 6.14.22.30 5.13.21.29", "40.45.57.60 2.7.19.22 42.47.59.62"},
    {"7.12.55.60 1.10.49.58 23.28.33.42 4.15.50.57 18.25.36.47 1.10.55.60 3.8.32.43",
     "2.7.24.29 8.13.18.23 33.36.59.62 7.29.44.54 5.26.43.52"},
    {"16.26.37.47 2.8.55.61 4.14.49.59 1.11.52.62 3.12.51.60",
     "4.10.20.26 1.15.17.31 5.11.16.30 34.44.55.57 5.14.16.27"},
    {"8.12.42.46 27.31.57.61 40.44.59.63 9.13.26.30 4.19.34.53",
     "18.24.55.61 23.29.50.56 17.20.27.30 5.15.32.42 1.4.11.14 18.24.55.61 10.15.32.37"},
    {"3.24.36.63 14.21.41.50 4.15.20.31 1.10.17.26 3.24.39.60",
     "10.21.36.59 15.16.33.62 3.28.36.59 15.16.40.55 5.26.34.61"},
}};

// The text between two marks of a recipe, e.g. the switches in [ ].
std::string_view between(std::string_view text, char open, char close) {
  std::size_t from = text.find(open) + 1, to = text.find(close, from);
  return text.substr(from, to - from);
}

wl::Node number_after(std::string_view text, char mark) {
  return wl::parse_steps(text.substr(text.rfind(mark) + 1)).at(0).numbers.at(0);
}

std::string switched(std::string_view seed, std::string_view switches) {
  return std::string(seed) + (switches.empty() ? "" : " switched at " + std::string(switches));
}

Made descendant(const wl::TwoGraph& two_graph, std::string_view recipe, const std::string& name) {
  wl::Node point = number_after(recipe, '@');
  return {two_graph.descendant(point), "descendant at " + std::to_string(point) + " of " + name};
}

Made from_26(std::string_view recipe) {
  wl::TwoGraph two_graph = wl::two_graph_26(recipe[2]);
  std::string name = "two-graph " + std::string(recipe.substr(0, 3));
  if (recipe[3] == '@') return descendant(two_graph, recipe, name);
  std::string_view text = recipe.substr(4);
  std::vector<wl::Node> set;
  if (!text.empty()) set = wl::parse_steps(text).at(0).numbers;
  return {wl::seidel_switch(two_graph.member(), set),
          "valency-10 member of " + name + (set.empty() ? "" : " (switched on " + std::string(text) + ")")};
}

Made make_strongly_regular(std::string_view recipe) {
  if (recipe == "rook") return {wl::rook(4, 4), "rook graph 4x4"};
  if (recipe == "shrikhande") return {wl::shrikhande(), "Shrikhande graph"};
  if (recipe == "T8") return {wl::triangular(8), "T(8)"};
  if (recipe.starts_with("chang")) return {wl::chang(recipe[5] - '0'), "Chang graph " + std::string(1, recipe[5])};
  if (recipe == "paley29") return {wl::paley(29), "Paley(29)"};
  if (recipe.starts_with("26")) return from_26(recipe);
  if (recipe.starts_with("30:"))
    return descendant(wl::two_graph_30(recipe[3] - '0'), recipe, "two-graph 30:" + std::string(1, recipe[3]));
  if (recipe.starts_with("36[")) {
    std::string_view switches = between(recipe, '[', ']');
    return descendant(wl::two_graph_36().switch_sequence(switches), recipe,
                      switched("the PG(3,2) two-graph", switches));
  }
  if (recipe.starts_with("L")) {
    std::string_view rows = between(recipe, 'L', '@');
    return descendant(wl::TwoGraph(wl::latin_square_graph(wl::latin_square(rows))), recipe,
                      "the two-graph of L3(6) of " + std::string(rows));
  }
  throw BugError("make_strongly_regular: " + std::string(recipe));
}

wl::BitMatrix hadamard_19(std::string_view recipe) {
  wl::Node column = number_after(recipe, '@');
  if (recipe.starts_with("19:paley1")) return wl::hadamard_design(wl::hadamard_paley1(19), 0, column);
  if (recipe.starts_with("19:paley2")) return wl::hadamard_design(wl::hadamard_paley2(9), 0, column);
  return wl::hadamard_design(wl::hadamard_two_circulant("--++-+-+++", "--+-++++++"), 0, column);
}

Made make_distance_regular(std::string_view recipe) {
  if (recipe.starts_with("hexagon"))
    return {wl::generalized_hexagon(recipe != "hexagon"), recipe == "hexagon" ? "GH(2,2)" : "GH(2,2) dual"};
  if (recipe.starts_with("19:"))
    return {wl::incidence_graph(hadamard_19(recipe)), "incidence graph of the Hadamard design " + std::string(recipe)};
  std::string_view switches = between(recipe, '[', ']');
  auto made = [&](const wl::BitMatrix& seed, std::string_view name) -> Made {
    return {wl::incidence_graph(wl::switch_rows_sequence(seed, switches)),
            "incidence graph of " + switched(name, switches)};
  };
  if (recipe.starts_with("15")) return made(wl::pg32_design(), "the points and planes of PG(3,2)");
  if (recipe.starts_with("25")) return made(wl::design_25_9_3(), "the (25,9,3) design");
  if (recipe.starts_with("23"))
    return made(wl::hadamard_design(wl::kronecker(wl::hadamard_paley1(11), {{1, 1}, {1, -1}}), 0, 0),
                "the (23,11,5) design of Paley 12 x 2");
  wl::BitMatrix biplane(wl::rook(4, 4));
  if (recipe.starts_with("16c")) return made(wl::complement_design(biplane), "the complement of the rook biplane");
  return made(biplane, "the rook biplane (16,6,2)");
}

Made make_four_vertex(std::string_view recipe) {
  wl::Graph graph = wl::symplectic(3);
  for (wl::Step& step : wl::parse_steps(recipe)) {
    for (wl::Node& x : step.numbers) --x;  // vector x is node x - 1
    graph = wl::godsil_mckay_switch(graph, step.numbers);
  }
  return {graph, switched("Sp(6,2)", recipe)};
}

template <std::size_t N>
std::vector<Pair> build(BrecFamily family, const std::array<Recipes, N>& table, Made (*make)(std::string_view)) {
  std::vector<Pair> pairs;
  int id = info(family).first_id;
  for (const Recipes& r : table) pairs.push_back(make_pair(id++, true, make(r.first), make(r.second)));
  return pairs;
}

}  // namespace

std::vector<Pair> builtin_strongly_regular() {
  return build(BrecFamily::StronglyRegular, kStronglyRegular, make_strongly_regular);
}
std::vector<Pair> builtin_distance_regular() {
  return build(BrecFamily::DistanceRegular, kDistanceRegular, make_distance_regular);
}
std::vector<Pair> builtin_four_vertex() { return build(BrecFamily::FourVertex, kFourVertex, make_four_vertex); }

}  // namespace leman::brec
